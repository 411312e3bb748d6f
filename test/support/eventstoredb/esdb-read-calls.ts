import { randomUUID } from 'node:crypto';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type grpc from '@grpc/grpc-js';
import type { EsdbCalls } from './esdb-calls.js';
import { errorOf } from './esdb-faults.js';
import type { EsdbRecord } from './esdb-log.js';
import {
  eventOut,
  filterIn,
  invalidArgument,
  isRpcError,
  streamDeleted,
  streamIdentifier,
  streamName,
  unavailable,
} from './esdb-wire.js';

type Response = InstanceType<typeof streams.ReadResp>;
type Options = InstanceType<typeof streams.ReadReq.Options>;
export type ReadCall = grpc.ServerWritableStream<InstanceType<typeof streams.ReadReq>, Response>;

/** Pages that the server reads in while a subscription catches up. */
const PAGE_RECORDS = 32;
/** A live subscription that is behind by more has to catch up again. */
const LIVE_RECORDS_MAX = 32;
const UINT64_MAX = 18446744073709551615n;
const COUNT_MAX = Number.MAX_SAFE_INTEGER;

/** Reads of a stream, of `$all`, and subscriptions to `$all` are one method of the protocol. */
export function read(calls: EsdbCalls, call: ReadCall): void {
  calls.opened(call);
  const reading = new Reading(calls, call);
  reading.run().catch((error: unknown) => {
    if (call.cancelled) return;
    call.emit('error', isRpcError(error) ? error : unavailable(String(error)));
  });
}

class Reading {
  private readonly options: Options;
  private readonly structured: boolean;
  private readonly ended: Promise<void>;
  private open = true;
  private cutAfter = Infinity;

  constructor(
    private readonly calls: EsdbCalls,
    private readonly call: ReadCall,
  ) {
    this.options = call.request.getOptions()!;
    this.structured = this.options.getUuidOption()?.hasStructured() ?? false;
    this.ended = new Promise<void>((resolve) => {
      call.once('close', resolve);
      call.once('cancelled', resolve);
    }).then(() => {
      this.open = false;
    });
  }

  async run(): Promise<void> {
    const ofStream = this.options.hasStream();
    const name = ofStream ? streamName(this.options.getStream()!.getStreamIdentifier()) : '$all';
    const operation = this.options.hasSubscription() ? 'subscribe' : 'read';
    this.calls.saw(operation, name);
    const fault = this.calls.faults.take(operation, name);
    if (fault === 'cut') this.cutAfter = 1;
    else if (fault !== undefined) {
      const error = errorOf(fault, this.calls.port);
      if (error === undefined) return;
      throw error;
    }
    if (operation === 'subscribe') return this.followAll();
    if (ofStream) await this.readStream(name);
    else await this.readAll();
    this.call.end();
  }

  private async readStream(name: string): Promise<void> {
    const stream = this.options.getStream()!;
    const read = this.calls.log.readStream(name, {
      from: stream.hasRevision() ? BigInt(stream.getRevision()) : stream.hasEnd() ? 'end' : 'start',
      backwards: this.options.getReadDirection() === 1,
      count: this.count(),
    });
    if (read.result === 'deleted') throw streamDeleted(name);
    if (read.result === 'notFound') {
      const missing = new streams.ReadResp.StreamNotFound();
      missing.setStreamIdentifier(streamIdentifier(name));
      await this.send(new streams.ReadResp().setStreamNotFound(missing));
      return;
    }
    for (const record of read.result === 'ok' ? read.records : []) await this.sendEvent(record);
  }

  private async readAll(): Promise<void> {
    const { records } = this.calls.log;
    const backwards = this.options.getReadDirection() === 1;
    const at = this.indexOfPosition(backwards);
    const count = this.count();
    const picked = backwards
      ? records.slice(Math.max(0, at - count), at).reverse()
      : records.slice(at, Math.min(at + count, records.length));
    for (const record of picked) {
      if (!this.open) return;
      await this.sendEvent(record);
    }
  }

  /** Forwards a position is inclusive, backwards exclusive; it must be the edge of a record. */
  private indexOfPosition(backwards: boolean): number {
    const { log } = this.calls;
    const all = this.options.getAll()!;
    if (all.hasStart()) return 0;
    if (all.hasEnd()) return log.records.length;
    const position = BigInt(all.getPosition()!.getCommitPosition());
    if (position === UINT64_MAX && backwards) return log.records.length;
    if (!log.isRecordBoundary(position)) throw invalidPosition();
    return log.indexAt(position);
  }

  private async followAll(): Promise<void> {
    const { log } = this.calls;
    const filter = this.options.getFilter();
    const accepts = filterIn(filter);
    const window = filter?.hasMax() ? filter.getMax() : PAGE_RECORDS;
    const interval = (filter?.getCheckpointintervalmultiplier() ?? Infinity) * window;
    let at = this.startOfSubscription();
    let considered = 0;
    let live = false;
    const confirmation = new streams.ReadResp.SubscriptionConfirmation();
    confirmation.setSubscriptionId(randomUUID());
    await this.send(new streams.ReadResp().setConfirmation(confirmation));
    let checkpointed = -1n;
    const checkpoint = async () => {
      const position = log.records[at - 1]?.position ?? -1n;
      if (filter === undefined || position <= checkpointed) return;
      checkpointed = position;
      await this.sendCheckpoint(position);
    };
    while (this.open) {
      if (live && log.records.length - at > LIVE_RECORDS_MAX) live = false;
      for (; at < log.records.length && this.open;) {
        const record = log.records[at]!;
        at += 1;
        if (accepts(record)) await this.sendEvent(record);
        considered += 1;
        if (considered < interval) continue;
        considered = 0;
        await checkpoint();
      }
      if (!live) {
        live = true;
        considered = 0;
        await checkpoint();
        await this.send(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
      }
      if (at === log.records.length && this.open) await log.changed(this.ended);
    }
  }

  /** A subscription begins behind the given position. */
  private startOfSubscription(): number {
    const { log } = this.calls;
    const all = this.options.getAll()!;
    if (all.hasEnd()) return log.records.length;
    if (!all.hasPosition()) return 0;
    const position = BigInt(all.getPosition()!.getCommitPosition());
    if (position < log.nextPosition && !log.isRecordBoundary(position)) throw invalidPosition();
    const at = log.indexAt(position);
    return log.records[at]?.position === position ? at + 1 : at;
  }

  private count(): number {
    const count = BigInt(this.options.getCount());
    return count > BigInt(COUNT_MAX) ? COUNT_MAX : Number(count);
  }

  private async sendEvent(record: EsdbRecord): Promise<void> {
    if (this.cutAfter <= 0) throw unavailable('the connection was cut');
    this.cutAfter -= 1;
    this.calls.eventsSent += 1;
    await this.send(new streams.ReadResp().setEvent(eventOut(record, this.structured)));
  }

  private async sendCheckpoint(position: bigint): Promise<void> {
    const checkpoint = new streams.ReadResp.Checkpoint()
      .setCommitPosition(position.toString())
      .setPreparePosition(position.toString());
    await this.send(new streams.ReadResp().setCheckpoint(checkpoint));
  }

  private async send(response: Response): Promise<void> {
    if (!this.open || this.call.cancelled) return;
    if (this.call.write(response)) return;
    await Promise.race([
      new Promise<void>((resolve) => this.call.once('drain', resolve)),
      this.ended,
    ]);
  }
}

function invalidPosition() {
  return invalidArgument('Trying to read from an invalid position.');
}
