import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';
import { append, batchAppend } from './esdb-append-calls.js';
import { EsdbCalls } from './esdb-calls.js';
import { EsdbFaults } from './esdb-faults.js';
import { EsdbLog } from './esdb-log.js';
import { read } from './esdb-read-calls.js';
import {
  expectedOf,
  rpcError,
  streamDeleted,
  streamName,
  supportedMethods,
  unavailable,
} from './esdb-wire.js';

/** One append, up to version 25.0. */
const APPEND_BYTES_MAX = 1024 * 1024;
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
const VERSION = '24.10.14';

export interface EventStoreDbDoubleOptions {
  readonly port?: number;
  readonly appendBytesMax?: number;
}

/**
 * A server that speaks EventStoreDB's protocol well enough for its real client, with the rules of
 * 24.10 as they were read in its source, and with faults. It was never compared with a running
 * EventStoreDB. Left out: persistent subscriptions, projections, links, subscriptions to one
 * stream, users, HTTP, TLS, clusters, and disk: what it holds is lost when the process ends.
 */
export class EventStoreDbDouble {
  readonly faults = new EsdbFaults();
  readonly calls: EsdbCalls;
  private server: grpc.Server | undefined;

  private constructor(
    readonly log: EsdbLog,
    appendBytesMax: number,
  ) {
    this.calls = new EsdbCalls(log, this.faults, appendBytesMax);
  }

  static async start(options: EventStoreDbDoubleOptions = {}): Promise<EventStoreDbDouble> {
    const { port = 0, appendBytesMax = APPEND_BYTES_MAX } = options;
    const double = new EventStoreDbDouble(new EsdbLog(), appendBytesMax);
    await double.listen(port);
    return double;
  }

  get port(): number {
    return this.calls.port;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.port}?tls=false`;
  }

  /** Cuts every connection; nothing listens afterwards. */
  stop(): void {
    this.server?.forceShutdown();
    this.server = undefined;
  }

  /** Down, and up again on the same port with the same log, as after a crash of the server. */
  async restart(): Promise<void> {
    this.stop();
    this.log.restarted();
    await this.listen(this.port);
  }

  /** Ends every open call with a status: subscriptions break, the connection stays. */
  dropCalls(error = unavailable()): void {
    for (const call of this.calls.open) call.emit('error', error);
  }

  private async listen(port: number): Promise<void> {
    const server = new grpc.Server({ 'grpc.max_receive_message_length': MESSAGE_BYTES_MAX });
    const { calls } = this;
    server.addService(streams.StreamsService, {
      append: (call: Parameters<typeof append>[1], answer: Parameters<typeof append>[2]) =>
        append(calls, call, answer),
      batchAppend: (call: Parameters<typeof batchAppend>[1]) => batchAppend(calls, call),
      read: (call: Parameters<typeof read>[1]) => read(calls, call),
      delete: this.deletion('softDelete', streamMessages.DeleteResp),
      tombstone: this.deletion('tombstone', streamMessages.TombstoneResp),
    });
    const paths = Object.values(streams.StreamsService).map(({ path }) => String(path));
    server.addService(features.ServerFeaturesService, {
      getSupportedMethods: (_call: unknown, answer: grpc.sendUnaryData<unknown>) =>
        answer(null, supportedMethods(paths, VERSION)),
    });
    this.calls.port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(
        `127.0.0.1:${port}`,
        grpc.ServerCredentials.createInsecure(),
        (error, bound) => (error === null ? resolve(bound) : reject(error)),
      );
    });
    this.server = server;
  }

  private deletion(
    kind: 'softDelete' | 'tombstone',
    Response: typeof streamMessages.DeleteResp | typeof streamMessages.TombstoneResp,
  ) {
    return (
      call: grpc.ServerUnaryCall<InstanceType<typeof streamMessages.DeleteReq>, unknown>,
      answer: grpc.sendUnaryData<unknown>,
    ): void => {
      const options = call.request.getOptions()!;
      const name = streamName(options.getStreamIdentifier());
      const expected = expectedOf(options, () => options.getRevision());
      const result = this.log[kind](name, expected);
      if (result.result === 'deleted') return answer(streamDeleted(name));
      if (result.result === 'wrong') {
        const details = `Delete failed due to WrongExpectedVersion. Stream: ${name}`;
        return answer(rpcError(grpc.status.FAILED_PRECONDITION, details));
      }
      const position = new Response.Position()
        .setCommitPosition(String(result.position))
        .setPreparePosition(String(result.position));
      answer(null, new Response().setPosition(position as never));
    };
  }
}
