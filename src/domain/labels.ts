import type { EventOf } from './events.js';

export const LABELS_MAX = 32;

export type Labels = Readonly<Record<string, string>>;

export function labelsAfter(
  before: Labels,
  { set, removed }: EventOf<'SessionLabelled'>['data'],
): Labels {
  const kept = Object.entries(before).filter(([name]) => !removed.includes(name));
  return { ...Object.fromEntries(kept), ...set };
}
