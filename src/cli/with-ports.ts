import 'reflect-metadata';
import { openPorts } from '../app/open-ports.js';
import type { Ports } from '../app/ports.js';
import type { Configuration } from '../config/configuration.js';
import { loadConfiguration } from '../config/load-configuration.js';

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
