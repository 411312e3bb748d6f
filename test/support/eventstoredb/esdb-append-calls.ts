import code from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { EsdbCalls } from './esdb-calls.js';
import { errorOf, writesFirst } from './esdb-faults.js';
import type { EsdbExpected, EsdbProposed, EsdbWriteResult } from './esdb-log.js';
import {
  type RpcError,
  bytesOf,
  expectedOf,
  invalidArgument,
  isRpcError,
  proposedIn,
  rpcError,
  streamDeleted,
  streamIdentifier,
  streamName,
  uuidIn,
} from './esdb-wire.js';

type AppendCall = grpc.ServerReadableStream<
  InstanceType<typeof streams.AppendReq>,
  InstanceType<typeof streams.AppendResp>
>;
type BatchCall = grpc.ServerDuplexStream<
  InstanceType<typeof streams.BatchAppendReq>,
  InstanceType<typeof streams.BatchAppendResp>
>;

/** The classic call: a stream of one options message and the events, one answer. */
export function append(
  calls: EsdbCalls,
  call: AppendCall,
  answer: (error: RpcError | null, response?: InstanceType<typeof streams.AppendResp>) => void,
): void {
  calls.opened(call);
  let options: ReturnType<InstanceType<typeof streams.AppendReq>['getOptions']>;
  let refusal: RpcError | undefined;
  let bytes = 0;
  const events: EsdbProposed[] = [];
  call.on('data', (request: InstanceType<typeof streams.AppendReq>) => {
    try {
      if (request.hasOptions()) options = request.getOptions();
      const message = request.getProposedMessage();
      if (message === undefined) return;
      events.push(proposedIn(message));
      bytes += bytesOf(events.at(-1)!);
    } catch (error) {
      refusal = isRpcError(error) ? error : invalidArgument(String(error));
    }
  });
  call.on('error', () => {});
  const finish = () => {
    // A connection that was cut ends the stream of messages too: half a batch is never written.
    if (options === undefined || call.cancelled) return;
    const name = streamName(options.getStreamIdentifier());
    calls.saw('append', name);
    if (bytes > calls.appendBytesMax) refusal = tooLarge(calls.appendBytesMax);
    if (refusal !== undefined) return answer(refusal);
    const fault = calls.faults.take('append', name);
    const expected = expectedOf(options, () => options!.getRevision());
    if (fault !== undefined) {
      if (writesFirst(fault)) calls.log.append(name, expected, events);
      const error = errorOf(fault, calls.port);
      return error && answer(error);
    }
    const result = calls.log.append(name, expected, events);
    if (result.result === 'deleted') return answer(streamDeleted(name));
    answer(null, classicResponse(result, expected));
  };
  call.on('end', () => setImmediate(finish));
}

function classicResponse(
  result: Exclude<EsdbWriteResult, { result: 'deleted' }>,
  expected: EsdbExpected,
): InstanceType<typeof streams.AppendResp> {
  const response = new streams.AppendResp();
  const none = new shared.Empty();
  if (result.result === 'wrong') {
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (expected === 'any') wrong.setExpectedAny(none);
    else if (expected === 'streamExists') wrong.setExpectedStreamExists(none);
    else if (expected === 'noStream') wrong.setExpectedNoStream(none);
    else wrong.setExpectedRevision(expected.toString());
    if (result.current < 0n) wrong.setCurrentNoStream(none);
    else wrong.setCurrentRevision(result.current.toString());
    return response.setWrongExpectedVersion(wrong);
  }
  const success = new streams.AppendResp.Success();
  if (result.revision < 0n) success.setNoStream(none);
  else success.setCurrentRevision(result.revision.toString());
  if (result.position === undefined) return response.setSuccess(success.setNoPosition(none));
  const position = new streams.AppendResp.Position()
    .setCommitPosition(result.position.toString())
    .setPreparePosition(result.position.toString());
  return response.setSuccess(success.setPosition(position));
}

function tooLarge(bytesMax: number): RpcError {
  return rpcError(grpc.status.INVALID_ARGUMENT, `Maximum Append Size of ${bytesMax} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(bytesMax),
  });
}

interface PendingBatch {
  readonly options: InstanceType<typeof streams.BatchAppendReq.Options>;
  readonly events: EsdbProposed[];
}

/** One stream for all appends of a client; each may come in several messages. */
export function batchAppend(calls: EsdbCalls, call: BatchCall): void {
  calls.opened(call);
  const pending = new Map<string, PendingBatch>();
  call.on('data', (request: InstanceType<typeof streams.BatchAppendReq>) => {
    const id = uuidIn(request.getCorrelationId());
    const options = request.getOptions();
    if (options !== undefined) pending.set(id, { options, events: [] });
    const batch = pending.get(id);
    if (batch === undefined) return;
    batch.events.push(...request.getProposedMessagesList().map(proposedIn));
    if (!request.getIsFinal()) return;
    pending.delete(id);
    finishBatch(calls, call, batch, (response) =>
      call.write(response.setCorrelationId(request.getCorrelationId())),
    );
  });
  call.on('error', () => {});
  call.on('end', () => call.end());
}

function finishBatch(
  calls: EsdbCalls,
  call: BatchCall,
  { options, events }: PendingBatch,
  answer: (response: InstanceType<typeof streams.BatchAppendResp>) => void,
): void {
  const name = streamName(options.getStreamIdentifier());
  calls.saw('batchAppend', name);
  const response = new streams.BatchAppendResp().setStreamIdentifier(streamIdentifier(name));
  const bytes = events.reduce((sum, event) => sum + bytesOf(event), 0);
  if (bytes > calls.appendBytesMax) {
    const detail = new shared.MaximumAppendSizeExceeded().setMaxappendsize(calls.appendBytesMax);
    return answer(
      response.setError(failed('INVALID_ARGUMENT', 'MaximumAppendSizeExceeded', detail)),
    );
  }
  // An absolute time by the client's clock, as the client sends it.
  if ((options.getDeadline()?.toDate() ?? new Date(8e15)) <= new Date()) {
    return answer(response.setError(failed('DEADLINE_EXCEEDED', 'Timeout', new shared.Timeout())));
  }
  const expected = expectedOf(options, () => options.getStreamPosition());
  const fault = calls.faults.take('append', name);
  if (fault !== undefined) {
    if (writesFirst(fault)) calls.log.append(name, expected, events);
    const error = errorOf(fault, calls.port);
    if (error !== undefined) call.emit('error', error);
    return;
  }
  answer(batchResponse(response, calls.log.append(name, expected, events), expected));
}

function batchResponse(
  response: InstanceType<typeof streams.BatchAppendResp>,
  result: EsdbWriteResult,
  expected: EsdbExpected,
): InstanceType<typeof streams.BatchAppendResp> {
  if (result.result === 'deleted') {
    return response.setError(failed('NOT_FOUND', 'StreamDeleted', new shared.StreamDeleted()));
  }
  const none = new empty.Empty();
  if (result.result === 'wrong') {
    const wrong = new shared.WrongExpectedVersion();
    if (expected === 'any') wrong.setExpectedAny(none);
    else if (expected === 'streamExists') wrong.setExpectedStreamExists(none);
    else if (expected === 'noStream') wrong.setExpectedNoStream(none);
    else wrong.setExpectedStreamPosition(expected.toString());
    if (result.current < 0n) wrong.setCurrentNoStream(none);
    else wrong.setCurrentStreamRevision(result.current.toString());
    return response.setError(failed('ALREADY_EXISTS', 'WrongExpectedVersion', wrong));
  }
  const success = new streams.BatchAppendResp.Success();
  if (result.revision < 0n) success.setNoStream(none);
  else success.setCurrentRevision(result.revision.toString());
  if (result.position === undefined) return response.setSuccess(success.setNoPosition(none));
  const position = new shared.AllStreamPosition()
    .setCommitPosition(result.position.toString())
    .setPreparePosition(result.position.toString());
  return response.setSuccess(success.setPosition(position));
}

function failed(
  name: 'INVALID_ARGUMENT' | 'DEADLINE_EXCEEDED' | 'NOT_FOUND' | 'ALREADY_EXISTS',
  message: string,
  detail: { serializeBinary(): Uint8Array },
): InstanceType<typeof status.Status> {
  const packed = new any.Any();
  packed.pack(detail.serializeBinary(), `event_store.client.${message}`);
  return new status.Status().setCode(code.Code[name]).setMessage(message).setDetails(packed);
}
