import { turnTexts } from './turn.mjs';

/**
 * Reads a session back as the next model input and compares every text of every turn that must be in
 * it. A fast wrong answer is no answer.
 * @param {number} from first turn that the input must show.
 */
export async function checkTurns(product, agent, from = 0) {
  const restored = await restore(product, agent.sessionId);
  checkMessages(restored.context.messages, from, agent.turnCount);
  return restored;
}

export function restore(product, sessionId) {
  return product.send('RestoreSession', sessionId, {
    format: 'neutral',
    force: false,
  });
}

/** @throws Error naming the first text that is missing, doubled or out of order. */
export function checkMessages(messages, from, to) {
  const text = JSON.stringify(messages);
  const kinds = ['input', 'thought', 'argument', 'result', 'answer'];
  let place = -1;
  for (let turn = from; turn < to; turn += 1) {
    const texts = turnTexts(turn);
    for (const kind of kinds) {
      const wanted = JSON.stringify(texts[kind]).slice(1, -1);
      const found = text.indexOf(wanted, place + 1);
      if (found < 0) throw new Error(`the model input lacks the ${kind} of turn ${turn}, in order`);
      place = found;
    }
  }
  if (from > 0 && text.includes(JSON.stringify(`answer ${from - 1}:`).slice(1, -1))) {
    throw new Error(`the model input shows turn ${from - 1}, which a summary stands for`);
  }
  if (text.includes(`answer ${to}:`)) throw new Error(`the model input shows turn ${to}`);
}
