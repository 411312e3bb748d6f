import { type JsonRead, JsonValueReader } from '../json-values.js';
import type { LogBytes } from '../open-log.js';
import { beginningOf } from '../../domain/content-preview.js';
import { digestOf } from '../source-reference.js';
import { CallNames } from './assistant-line.js';
import type { ChildPlace } from './first-events.js';
import { type LineUnit, unitsOfLine } from './line-units.js';
import { type LogLine, RecordIdentities, readLine } from './log-line.js';
import type { SessionTranslator } from './session-translator.js';
import { SidechainRoots } from './sidechain-roots.js';

interface WalkedRecord {
  readonly line: LogLine | undefined;
  readonly key: string;
  readonly units: readonly LineUnit[];
  readonly byteOffset: number;
  readonly text: string;
  readonly chain: ChildPlace | undefined;
}

/** Opens the session of a chain of subagent lines; of the file itself without one. */
export type SessionOf = (chain: ChildPlace | undefined) => Promise<SessionTranslator>;

const CHUNK_CHARACTERS = 1024 * 1024;
const CHUNK_RECORDS = 1_000;
const EXCERPT_CHARACTERS = 1_000;

/**
 * The second pass over a file: hands each record to the session it belongs to, chunk by chunk. The
 * raw text of a chunk's new records is kept first, in one artifact per session.
 */
export class LogWalk {
  private readonly identities = new RecordIdentities();
  private readonly names = new CallNames();
  private readonly chains = new SidechainRoots();
  private chunk: WalkedRecord[] = [];
  private chunkCharacters = 0;

  constructor(
    private readonly hasChains: boolean,
    private readonly sessionOf: SessionOf,
  ) {}

  async run(bytes: LogBytes): Promise<void> {
    for await (const read of new JsonValueReader().read(bytes.chunks())) {
      const record = this.recordOf(read);
      if (record === undefined) continue;
      const { length } = record.text;
      const full =
        this.chunk.length >= CHUNK_RECORDS || this.chunkCharacters + length > CHUNK_CHARACTERS;
      if (full) await this.endChunk();
      this.chunk.push(record);
      this.chunkCharacters += length;
    }
    await this.endChunk();
  }

  private recordOf(read: JsonRead): WalkedRecord | undefined {
    const { text, byteOffset } = read;
    const line = read.bad === true ? undefined : readLine(read.value, text);
    if (line === undefined) return this.quarantined(read);
    const identity = this.identities.identify(line);
    if (identity.isRepeated) return undefined;
    const chain = this.hasChains ? this.chains.chainOf(line, identity.key) : undefined;
    const units = unitsOfLine(line, identity, this.names);
    return { line, key: identity.key, units, byteOffset, text, chain };
  }

  /** Named by its text: the same torn record is the same wherever it stands. */
  private quarantined({ text, byteOffset }: JsonRead): WalkedRecord {
    const digest = digestOf(text);
    const key = `quarantined:${digest}`;
    const excerpt = beginningOf(text, EXCERPT_CHARACTERS);
    const unit: LineUnit = { kind: 'audit', key, digest, what: 'quarantined', excerpt };
    return { line: undefined, key, units: [unit], byteOffset, text, chain: undefined };
  }

  private async endChunk(): Promise<void> {
    const records = this.chunk;
    this.chunk = [];
    this.chunkCharacters = 0;
    const offsets = new Map<WalkedRecord, number>();
    const begun = new Set<SessionTranslator>();
    for (const record of records) {
      const session = await this.sessionOf(record.chain);
      if (!begun.has(session)) {
        begun.add(session);
        await keepRaw(session, records, record.chain, offsets);
      }
      const { line, key, units, byteOffset, text } = record;
      const offset = offsets.get(record) ?? 0;
      await session.take({ line, key, units, byteOffset, offset, length: Buffer.byteLength(text) });
    }
    for (const session of begun) await session.flush();
  }
}

/** One artifact with the chunk's new records of one session, a line each. */
async function keepRaw(
  session: SessionTranslator,
  records: readonly WalkedRecord[],
  chain: ChildPlace | undefined,
  offsets: Map<WalkedRecord, number>,
): Promise<void> {
  const own = records.filter(
    (record) => record.chain?.key === chain?.key && session.isNew(record.units),
  );
  if (own.length === 0) return;
  let offset = 0;
  for (const record of own) {
    offsets.set(record, offset);
    offset += Buffer.byteLength(record.text) + 1;
  }
  await session.keepRaw(own.length, own.map(({ text }) => text).join('\n'));
}
