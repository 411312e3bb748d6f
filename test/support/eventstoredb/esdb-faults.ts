import grpc from '@grpc/grpc-js';
import { type RpcError, rpcError, unavailable } from './esdb-wire.js';

export type EsdbOperation = 'append' | 'read' | 'subscribe';

/**
 * What goes wrong with one call. `requestLost`: nothing was done, the caller hears "unavailable".
 * `answerLost`: an append was written, the caller hears "unavailable". `silence` and
 * `silenceAfterWrite`: it hears nothing at all. `cut`: a stream of answers ends in the middle.
 */
export type EsdbFault =
  | 'requestLost'
  | 'answerLost'
  | 'silence'
  | 'silenceAfterWrite'
  | 'notLeader'
  | 'aborted'
  | 'accessDenied'
  | 'cut';

/** Faults that were ordered one by one, and after them those that a plan throws in. */
export class EsdbFaults {
  /** Asked at each call for which none was ordered. */
  plan: (operation: EsdbOperation, stream: string) => EsdbFault | undefined = () => undefined;
  private readonly ordered: { operation: EsdbOperation; fault: EsdbFault }[] = [];

  next(operation: EsdbOperation, ...faults: readonly EsdbFault[]): void {
    for (const fault of faults) this.ordered.push({ operation, fault });
  }

  take(operation: EsdbOperation, stream: string): EsdbFault | undefined {
    const index = this.ordered.findIndex((one) => one.operation === operation);
    if (index < 0) return this.plan(operation, stream);
    return this.ordered.splice(index, 1)[0]?.fault;
  }
}

/** What the caller hears; undefined for silence. */
export function errorOf(fault: EsdbFault, port: number): RpcError | undefined {
  switch (fault) {
    case 'silence':
    case 'silenceAfterWrite':
      return undefined;
    case 'notLeader':
      return rpcError(grpc.status.NOT_FOUND, 'Leader info available', {
        exception: 'not-leader',
        'leader-endpoint-host': '127.0.0.1',
        'leader-endpoint-port': String(port),
      });
    case 'aborted':
      return rpcError(grpc.status.ABORTED, 'Operation timed out');
    case 'accessDenied':
      return rpcError(grpc.status.PERMISSION_DENIED, 'Access Denied', {
        exception: 'access-denied',
      });
    default:
      return unavailable();
  }
}

export function writesFirst(fault: EsdbFault): boolean {
  return fault === 'answerLost' || fault === 'silenceAfterWrite';
}
