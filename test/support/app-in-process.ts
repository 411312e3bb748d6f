import { join } from 'node:path';
import type * as LoadTokenizer from '../../src/app/load-tokenizer.js';
import type * as OpenPorts from '../../src/app/open-ports.js';
import type { Ports } from '../../src/app/ports.js';
import type { PortsOptions } from '../../src/app/ports.module.js';
import type * as Serve from '../../src/app/serve.js';
import type * as Server from '../../src/app/server.js';
import type * as LoadConfiguration from '../../src/config/load-configuration.js';
import type { Clock } from '../../src/tokens.js';
import { importBuilt } from './import-outside.js';
import { HttpClient } from './http-client.js';
import { storesEnvironment } from './stores-under-test.js';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';

const { loadTokenizer } = await importBuilt<typeof LoadTokenizer>('app/load-tokenizer.js');
const { openPorts, readApiKey } = await importBuilt<typeof OpenPorts>('app/open-ports.js');
const { closeCalmly } = await importBuilt<typeof Serve>('app/serve.js');
const { createServer } = await importBuilt<typeof Server>('app/server.js');
const { loadConfiguration } = await importBuilt<typeof LoadConfiguration>(
  'config/load-configuration.js',
);

export interface AppOptions {
  /** An earlier app's folder: a restart. Default: a new one. */
  readonly folder?: TemporaryFolder;
  readonly clock?: Clock;
  readonly environment?: Readonly<Record<string, string>>;
  readonly probes?: PortsOptions['probes'];
}

/** The built application on a real port and real files, in the process of the test. */
export interface AppInProcess {
  readonly url: string;
  readonly http: HttpClient;
  readonly ports: Ports;
  readonly folder: TemporaryFolder;
  /** What a process beside it needs to work on the same data. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
  /** Another application on the same data, as after a restart. */
  restarted(options?: Omit<AppOptions, 'folder'>): Promise<AppInProcess>;
}

export async function startApp(options: AppOptions = {}): Promise<AppInProcess> {
  const folder = options.folder ?? temporaryFolder();
  const environment = {
    HOLDFAST_DATA_DIR: join(folder.path, 'data'),
    HOLDFAST_PORT: '0',
    ...(await storesEnvironment(folder.path)),
  };
  const configuration = loadConfiguration({
    HOLDFAST_LOG_LEVEL: 'silent',
    ...environment,
    ...options.environment,
  });
  const ports = await openPorts(configuration);
  const tokenizer = await loadTokenizer(configuration.tokenizer);
  const { clock, probes } = options;
  const created = createServer({ ports, configuration, clock, tokenizer, probes });
  const app = await created.catch(async (error: unknown) => {
    await ports.close();
    throw error;
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const http = new HttpClient(url, await readApiKey(configuration));
  const close = async (): Promise<void> => {
    http.close();
    await closeCalmly(app);
    await ports.close();
  };
  return {
    url,
    http,
    ports,
    folder,
    environment,
    close,
    async restarted(later = {}) {
      await close();
      return startApp({ ...options, ...later, folder });
    },
  };
}
