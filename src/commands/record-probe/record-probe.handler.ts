import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';
import type { OfCall } from '../start-tool-call/start-tool-call.handler.js';
import type { RecordProbeBody } from './record-probe.dto.js';

export class RecordProbe extends SessionRequest<OfCall<RecordProbeBody>> {}

const recordProbe: ToSessionCommands<OfCall<RecordProbeBody>> = ({ callId, body }, context) => {
  const { answer, requestedAt, source, evidence } = body;
  return [
    {
      type: 'RecordProbe',
      ...identityOf(context, `probe:${callId}:${requestedAt}:${source}`, { callId, ...body }),
      callId,
      source,
      requestedAt,
      answer,
      evidence: { ...evidence },
    },
  ];
};

export const RecordProbeHandler = handlerOf(RecordProbe, recordProbe);
