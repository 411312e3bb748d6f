import type { EventOf } from './events.js';
import type { SessionState } from './state.js';

/** Whatever the state held of the content goes with it. */
export function evolveErasure(
  state: SessionState,
  event: EventOf<'SessionErased'> | EventOf<'ErasureCompleted'>,
): SessionState {
  if (event.type === 'SessionErased') {
    const { erasureId, erasedAt, descendants } = event.data;
    return {
      ...state,
      erasure: { erasureId, erasedAt, descendants },
      title: undefined,
      pendingInputs: [],
      unseenInputs: [],
      calls: {},
    };
  }
  if (state.erasure === undefined) return state;
  const { artifacts, keyBackupsExpireAt, completedAt } = event.data;
  return { ...state, erasure: { ...state.erasure, artifacts, keyBackupsExpireAt, completedAt } };
}
