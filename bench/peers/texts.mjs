import { turnTexts } from '../turn.mjs';

/**
 * Compares what a store gave back with what was put in: every text of every turn, in order.
 * @param {string[]} texts input, thought, argument, result and answer of each turn.
 * @throws Error naming the first turn that differs.
 */
export function checkTexts(name, texts, turns) {
  if (texts.length !== 5 * turns) {
    throw new Error(`${name} gave back ${texts.length} texts for ${turns} turns`);
  }
  for (let turn = 0; turn < turns; turn += 1) {
    const expected = Object.values(turnTexts(turn));
    const given = texts.slice(5 * turn, 5 * turn + 5);
    if (expected.some((text, index) => text !== given[index])) {
      throw new Error(`${name} gave back another turn ${turn} than was recorded`);
    }
  }
}

/** The texts of messages in the form of `plainMessages`. */
export function textsOfPlain(messages) {
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : content.map((part) => part.text ?? part.content ?? part.input.query),
  );
}
