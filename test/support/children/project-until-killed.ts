import { newInstanceId } from '../../../src/storage/instance-id.js';
import { allProjections } from '../../../src/projections/all-projections.js';
import { Projectors } from '../../../src/projections/projectors.js';
import { EventCodec } from '../../../src/storage/event-codec.js';
import { openStorage } from '../../../src/storage/open-storage.js';

/** Follows the log in small batches until it is killed. Says when it has begun. */
const [dataDir = '', keysDir = '', mongodbUrl = ''] = process.argv.slice(2);
const storage = await openStorage({ dataDir, keysDir, mongodbUrl: mongodbUrl || undefined });
const projectors = new Projectors(
  allProjections,
  { ...storage, codec: new EventCodec(), now: Date.now },
  {
    instanceId: newInstanceId(),
    batchEventsMax: 20,
    gatherMs: 1,
    leaseTtlMs: 500,
    retryMaxMs: 100,
  },
);
await projectors.prepare();
projectors.start();
process.stdout.write('following\n');
