import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../config/configuration.js';
import { FileArtifactStore } from '../storage/files/file-artifact-store.js';
import { InstallationKeys } from '../storage/files/installation-keys.js';
import { SqliteEventStore } from '../storage/sqlite/sqlite-event-store.js';
import { SqliteLeaseStore } from '../storage/sqlite/sqlite-lease-store.js';
import { SqliteReadModelStore } from '../storage/sqlite/sqlite-read-model-store.js';
import type { Ports } from './ports.js';

/** Everything in one data folder on this machine, secrets in the keys folder beside it. */
export async function openEmbeddedPorts(configuration: Configuration): Promise<Ports> {
  const { dataFolder, keysFolder } = configuration;
  const { mkdir } = await import('node:fs/promises');
  await mkdir(dataFolder, { recursive: true });
  const keys = await InstallationKeys.open(keysFolder, dataFolder);
  const hasher = keys.sessionHmac.bind(keys);
  const artifacts = await FileArtifactStore.open(join(dataFolder, 'artifacts'), (owner, content) =>
    hasher(owner.tenantId, owner.sessionId, content),
  );
  const events = await SqliteEventStore.open({ file: join(dataFolder, 'events.db') });
  const readModels = await SqliteReadModelStore.open({ file: join(dataFolder, 'read-models.db') });
  const leases = await SqliteLeaseStore.open({ file: join(dataFolder, 'leases.db') });
  return {
    events,
    readModels,
    leases,
    artifacts,
    hasher,
    isKey: keys.isApiKey.bind(keys),
    async close() {
      await events.close();
      await readModels.close();
      await leases.close();
    },
  };
}

export function keyFile({ keysFolder }: Configuration): string {
  return join(keysFolder, 'api-key');
}

export async function readApiKey(configuration: Configuration): Promise<string> {
  return (await readFile(keyFile(configuration), 'utf8')).trim();
}
