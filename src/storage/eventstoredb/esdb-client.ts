import { randomUUID } from 'node:crypto';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import esdb from '@eventstore/db-client';

export interface EsdbEventData {
  /** The server recognises a batch that is sent again by these: a UUID. */
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Uint8Array;
  /** JSON. */
  readonly metadata: Uint8Array;
}

/** 'any' is for caches only: the server does not recognise a repeated batch for long. */
export type EsdbExpected = bigint | 'noStream' | 'any';

export type EsdbAppendAnswer =
  | { readonly written: true; readonly revision: number; readonly position: bigint | undefined }
  | { readonly written: false; readonly actual: number | 'noStream' };

type AppendResponse = InstanceType<typeof messages.AppendResp>;

/**
 * The client with an append of our own on its connection: its own ones reject promises that
 * nobody can hear when a connection ends at the wrong moment, which ends the process.
 */
export class EsdbClient extends esdb.EventStoreDBClient {
  static connect(url: string): EsdbClient {
    const client = esdb.EventStoreDBClient.connectionString(url);
    return Object.setPrototypeOf(client, EsdbClient.prototype) as EsdbClient;
  }

  /** Rejects with the client's typed errors. */
  async append(
    stream: string,
    expected: EsdbExpected,
    events: readonly EsdbEventData[],
    deadlineMs: number,
  ): Promise<EsdbAppendAnswer> {
    const options = this.callArguments({ deadline: deadlineMs, requiresLeader: true });
    try {
      const response = await this.execute(services.StreamsClient, 'append', (client) => {
        return new Promise<AppendResponse>((resolve, reject) => {
          const call = client.append(...options, (error, answer) =>
            error === null ? resolve(answer) : reject(error),
          );
          call.on('error', reject);
          call.write(headerOf(stream, expected));
          for (const event of events) call.write(requestOf(event));
          call.end();
        });
      });
      return answerIn(response);
    } catch (error) {
      throw esdb.convertToCommandError(error as Error);
    }
  }

  /** Keeps the newest events of a stream only. */
  async limitStream(stream: string, maxCount: number, deadlineMs: number): Promise<void> {
    const data = Buffer.from(JSON.stringify({ $maxCount: maxCount }));
    const id = randomUUID();
    const event = { id, type: '$metadata', isJson: true, data, metadata: Buffer.from('{}') };
    await this.append(`$$${stream}`, 'any', [event], deadlineMs);
  }

  /** Disposing ends the calls only: the channel would keep its connection, and the process. */
  async disconnect(): Promise<void> {
    await this.dispose();
    (await this.getChannel()).close();
  }
}

function headerOf(stream: string, expected: EsdbExpected): InstanceType<typeof messages.AppendReq> {
  const name = new shared.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'));
  const options = new messages.AppendReq.Options().setStreamIdentifier(name);
  if (expected === 'any') options.setAny(new shared.Empty());
  else if (expected === 'noStream') options.setNoStream(new shared.Empty());
  else options.setRevision(expected.toString());
  return new messages.AppendReq().setOptions(options);
}

function requestOf(event: EsdbEventData): InstanceType<typeof messages.AppendReq> {
  const message = new messages.AppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(event.id))
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  const contentType = event.isJson ? 'application/json' : 'application/octet-stream';
  message.getMetadataMap().set('type', event.type).set('content-type', contentType);
  return new messages.AppendReq().setProposedMessage(message);
}

/** @throws Error for an answer that is none. */
function answerIn(response: AppendResponse): EsdbAppendAnswer {
  const wrong = response.getWrongExpectedVersion();
  if (wrong !== undefined) {
    const actual = wrong.hasCurrentRevision() ? Number(wrong.getCurrentRevision()) : 'noStream';
    return { written: false, actual };
  }
  const success = response.getSuccess();
  if (success === undefined) throw new Error('the server answered neither yes nor no');
  const commit = success.getPosition()?.getCommitPosition();
  return {
    written: true,
    revision: Number(success.getCurrentRevision()),
    position: commit === undefined ? undefined : BigInt(commit),
  };
}
