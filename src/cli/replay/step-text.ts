import type { ReplayStep } from '../../audit/replay-session.js';
import type { SessionEventRecord } from '../../domain/events.js';
import { amountText } from '../cost-text.js';
import { counted } from '../output.js';

// Whatever a model or a tool wrote must not steer the terminal that shows it.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function harmless(text: string): string {
  return text.replaceAll(CONTROL, '·');
}

/** `12/40 · 2026-01-31 12:00:00 · key:… · SettleModelCall → ModelCallSettled` */
export function eventLine({ revision, recordedAt, metadata, event }: SessionEventRecord): string {
  const time = recordedAt.slice(0, 19).replace('T', ' ');
  const { actor, commandType } = metadata;
  return harmless(`#${revision} ${time} ${actor} ${commandType} → ${event.type}`);
}

export function statusLine({ status, calls, pendingInputs, context, cost }: ReplayStep): string {
  const open = calls.map(({ tool, state }) => `${tool} (${state})`);
  const input =
    'impossible' in context
      ? `no model input: ${context.impossible}`
      : `${counted(context.messages.length, 'message')}, about ${context.estimatedTokens} tokens`;
  const parts = [
    status,
    ...(pendingInputs === 0 ? [] : [`${counted(pendingInputs, 'input')} pending`]),
    ...(open.length === 0 ? [] : [`calls: ${open.join(', ')}`]),
    `input: ${input}`,
    `cost: ${cost === undefined ? '0' : amountText(cost)}`,
  ];
  return harmless(parts.join(' · '));
}

/** The fields of an event, one per line, as far as they say something. */
export function dataLines({ event }: SessionEventRecord): readonly string[] {
  return Object.entries(event.data).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
    return harmless(`${name}: ${text}`).split('\n');
  });
}

/** The model input of a step, message by message. */
export function contextLines({ context }: ReplayStep): readonly string[] {
  if ('impossible' in context) return [harmless(context.impossible)];
  const repairs = context.repairs.map((repair) => harmless(`repair: ${JSON.stringify(repair)}`));
  const messages = context.messages.flatMap((message, index) =>
    harmless(`[${index}] ${JSON.stringify(message, undefined, 1)}`).split('\n'),
  );
  return [...repairs, ...messages];
}
