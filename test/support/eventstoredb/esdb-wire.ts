import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';
import type { EsdbExpected, EsdbProposed, EsdbRecord } from './esdb-log.js';

/** Between the client's own message classes and the log. */
const UINT64_MAX = 18446744073709551615n;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type StreamIdentifier = InstanceType<typeof shared.StreamIdentifier>;

export function streamName(identifier: StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

export function streamIdentifier(name: string): StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Uint8Array.from(Buffer.from(name)));
}

/** Two signed big-endian halves for one client, text for the other. */
export function uuidIn(message: InstanceType<typeof shared.UUID> | undefined): string {
  const structured = message?.getStructured();
  if (!structured) {
    const text = message?.getString() ?? '';
    if (!uuid.test(text)) throw invalidArgument(`Unrecognized Guid format: ${text}`);
    return text.toLowerCase();
  }
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(BigInt.asIntN(64, BigInt(structured.getMostSignificantBits())), 0);
  bytes.writeBigInt64BE(BigInt.asIntN(64, BigInt(structured.getLeastSignificantBits())), 8);
  return bytes
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, (_, ...parts) => parts.slice(0, 5).join('-'));
}

export function uuidOut(id: string, structured = false): InstanceType<typeof shared.UUID> {
  const message = new shared.UUID();
  if (!structured) return message.setString(id);
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return message.setStructured(
    new shared.UUID.Structured()
      .setMostSignificantBits(bytes.readBigInt64BE(0).toString())
      .setLeastSignificantBits(bytes.readBigInt64BE(8).toString()),
  );
}

interface ExpectedOptions {
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}

export function expectedOf(options: ExpectedOptions, revision: () => string): EsdbExpected {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'noStream';
  if (options.hasStreamExists()) return 'streamExists';
  const exact = BigInt(revision());
  return exact === UINT64_MAX ? -1n : exact;
}

interface ProposedMessage {
  getId(): InstanceType<typeof shared.UUID> | undefined;
  getMetadataMap(): { get(name: string): string | undefined };
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
}

export function proposedIn(message: ProposedMessage): EsdbProposed {
  const type = message.getMetadataMap().get('type');
  const contentType = message.getMetadataMap().get('content-type');
  if (!type || !contentType) throw invalidArgument('a required metadata property is missing');
  return {
    id: uuidIn(message.getId()),
    type,
    isJson: contentType === 'application/json',
    data: Buffer.from(message.getData_asU8()),
    metadata: Buffer.from(message.getCustomMetadata_asU8()),
  };
}

export function bytesOf({ data, metadata, type }: EsdbProposed): number {
  return data.length + metadata.length + 2 * type.length;
}

export function eventOut(
  record: EsdbRecord,
  structured: boolean,
): InstanceType<typeof streams.ReadResp.ReadEvent> {
  const position = record.position.toString();
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(uuidOut(record.id, structured))
    .setStreamIdentifier(streamIdentifier(record.stream))
    .setStreamRevision(record.revision.toString())
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(Uint8Array.from(record.data))
    .setCustomMetadata(Uint8Array.from(record.metadata));
  const contentType = record.isJson ? 'application/json' : 'application/octet-stream';
  recorded.getMetadataMap().set('type', record.type);
  // .NET ticks of 100 ns
  recorded.getMetadataMap().set('created', (BigInt(record.createdMs) * 10_000n).toString());
  recorded.getMetadataMap().set('content-type', contentType);
  return new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position);
}

type Filter = InstanceType<typeof streams.ReadReq.Options.FilterOptions>;

/** A regular expression or prefixes, on the stream's name or the event's type. */
export function filterIn(filter: Filter | undefined): (record: EsdbRecord) => boolean {
  if (filter === undefined) return () => true;
  const expression = filter.getEventType() ?? filter.getStreamIdentifier();
  if (expression === undefined) throw invalidArgument('filter');
  const ofType = filter.hasEventType();
  const text = ({ type, stream }: EsdbRecord) => (ofType ? type : stream);
  if (expression.getRegex() !== '') {
    const pattern = new RegExp(expression.getRegex());
    return (record) => pattern.test(text(record));
  }
  const prefixes = expression.getPrefixList();
  return (record) => prefixes.some((prefix) => text(record).startsWith(prefix));
}

export function supportedMethods(
  paths: readonly string[],
  version: string,
): InstanceType<typeof features.SupportedMethods> {
  const supported = new features.SupportedMethods().setEventStoreServerVersion(version);
  for (const path of paths) {
    const [, service = '', name = ''] = path.toLowerCase().split('/');
    supported.addMethods(
      new features.SupportedMethod().setServiceName(service).setMethodName(name),
    );
  }
  return supported;
}

export interface RpcError {
  readonly code: grpc.status;
  readonly details: string;
  readonly metadata: grpc.Metadata;
}

/** What a failing call answers; `exception` is how the server names its typed errors. */
export function rpcError(
  code: grpc.status,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): RpcError {
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { code, details, metadata };
}

export function invalidArgument(details: string): RpcError {
  return rpcError(grpc.status.INVALID_ARGUMENT, details);
}

export function unavailable(details = 'Server Is Not Ready'): RpcError {
  return rpcError(grpc.status.UNAVAILABLE, details);
}

export function streamDeleted(stream: string): RpcError {
  return rpcError(grpc.status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });
}

export function accessDenied(): RpcError {
  return rpcError(grpc.status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
}

export function isRpcError(error: unknown): error is RpcError {
  return typeof error === 'object' && error !== null && 'code' in error && 'details' in error;
}
