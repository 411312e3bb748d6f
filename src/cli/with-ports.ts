import 'reflect-metadata';
import { openPorts } from '../app/open-ports.js';
import type { Ports } from '../app/ports.js';
import type { Configuration } from '../config/configuration.js';
import { loadConfiguration } from '../config/load-configuration.js';
import { refuseMissingStore } from './has-store.js';

/** The same, of a store that is there: a mistyped folder makes no new one. */
export async function withExistingPorts<T>(
  work: (ports: Ports, configuration: Configuration) => Promise<T>,
): Promise<T> {
  refuseMissingStore(loadConfiguration(process.env));
  return withPorts(work);
}

/** The stores alone: nothing follows the log and nothing is reconciled meanwhile. */
export async function withPorts<T>(
  work: (ports: Ports, configuration: Configuration) => Promise<T>,
): Promise<T> {
  const configuration = loadConfiguration(process.env);
  const ports = await openPorts(configuration);
  try {
    return await work(ports, configuration);
  } finally {
    await ports.close();
  }
}
