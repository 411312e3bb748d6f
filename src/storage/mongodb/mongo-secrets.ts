import type { Collection } from 'mongodb';
import type { CommonSecrets } from '../common-secrets.js';
import type { MongoConnection } from './mongo-connection.js';
import { isDuplicateKey, onMongo } from './mongo-error.js';

interface StoredSecret {
  readonly _id: string;
  readonly value: string;
}

/** In a database of their own, so that a copy of the data holds no key. */
export class MongoSecrets implements CommonSecrets {
  private readonly secrets: Collection<StoredSecret>;

  constructor({ keys }: MongoConnection) {
    this.secrets = keys.collection<StoredSecret>('secrets');
  }

  async settle(name: string, proposed: string): Promise<string> {
    return onMongo(async () => {
      try {
        await this.secrets.insertOne({ _id: name, value: proposed });
        return proposed;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const stored = await this.secrets.findOne({ _id: name });
      if (stored === null) throw new Error(`the secret ${name} vanished`);
      return stored.value;
    });
  }
}
