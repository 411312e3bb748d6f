import { Times } from './contenders.mjs';

const SESSIONS = 64;

/** P3: 64 sessions, each with its next turn as soon as the last one is acknowledged. */
export async function compareThroughput({ opened, floor, options, report }) {
  const times = new Times(floor);
  const turnsEach = options.comparedTurnsEach;
  for (let round = 0; round < options.rounds; round += 1) {
    const sessions = Array.from({ length: SESSIONS }, (_, index) => `many-${round}-${index}`);
    for (const each of opened) {
      const { store } = each;
      for (const session of sessions) await store.seed(session, 0, 1);
      await times.add(each, () => workOn(store, sessions, turnsEach));
      for (const session of sessions.slice(0, 4)) {
        store.check(await store.readBack(session), 1 + turnsEach);
      }
    }
  }
  report('P3', `a turn, ${SESSIONS} sessions at once`, times, SESSIONS * turnsEach);
}

async function workOn(store, sessions, turnsEach) {
  if (store.appendTurns !== undefined) {
    for (let turn = 1; turn <= turnsEach; turn += 1) await store.appendTurns(sessions, turn);
    return;
  }
  await Promise.all(
    sessions.map(async (session) => {
      for (let turn = 1; turn <= turnsEach; turn += 1) await store.appendTurn(session, turn);
    }),
  );
}
