import type { FoundItem } from './omission-item.js';

export const CLAUSE_CHARACTERS_MAX = 300;
const SENTENCE_END = /(?<=[!?;])\s+|\.(?=\s|$)|[。！？；\n]+/;
const LONG_SENTENCE_CHARACTERS = 160;

/** What forbids something, in the words of a user. */
const FORBIDS = [
  /\b(?:do not|don['’]?t|never|must not|mustn['’]t|should not|shouldn['’]t|may not|shall not|avoid|not allowed|forbidden|prohibited|refrain from|cannot be|can['’]t be|off[- ]limits|under no circumstances|can(?:['’]t|not) (?:go|exceed|use|spend)|(?:nobody|no one|none of \w+) (?:may|must|can|should)|(?:leave|keep) [^,;]{1,40} (?:alone|untouched|unchanged))\b/i,
  /\bwithout (?:\w+ing\b|(?:(?:my|our|your|any|a|the|prior|explicit|written) ){0,3}(?:approval|permission|consent|confirmation|review|sign-off|agreement))/i,
  /(?:^|[:,;(] ?|\band |\bbut )no (?!problem|idea|worries|worry|need|one|longer|matter|doubt|output|error|way|rush|thanks|such)[a-z]/i,
  /, (?:and |but )?not (?!sure|yet|that|just|only|really|so)\w+/i,
  /不要|不得|不准|不许|不允许|不应|不该|禁止|严禁|切勿|请勿|绝不|决不|永远不|从不|一律不|不可(?!能|用|达|见|思议|读|避免)|未经|避免|杜绝|不再|不接受|(?<!能|可)不能(?!登录|打开|访问|连接|运行|显示|启动|用了|确定|正常|理解)|(?<![特分级类区识性差个告辨派鉴国各离道])别(?![的人名处墅致扭]|称|出心裁)|勿/,
];
/** What only tells of something that is not so, asks for it, or does not mind. */
const NO_CONSTRAINT = [
  /\b(?!pls|always|this)[a-z`]+s`? (?:do not|don['’]?t)\b/,
  /\bno \w+(?: \w+){0,3} (?:found|remain|available|exist|left)\b/i,
  /\b(?:I|we|they|it|you|who|which|that) (?:do not|don['’]?t) (?!want|use|ship|allow|accept|support|deploy|pay|sell|store|send|share|delete|touch|merge|release|log|sign|work|fly|travel|eat)/i,
  /\b(?:don['’]?t|do not) (?:have|need) to\b|\bdon['’]?t (?:worry|know|mind|care)\b|\bwhy don['’]?t\b|\bnever ?mind\b/i,
  /\b(?:have|has|had|['’]ve|was|were|is|are) never\b|\bnever (?:seen|heard|worked|had|happened|been|got|mind)\b/i,
  /(?:是不是|要不要|能不能|可不可|吗|为什么|怎么|不能不|不得不|不要紧|不得已)/,
];
/** What an assistant binds itself to; its other negations explain or report. */
const COMMITS = [
  /\b(?:I|we)(?:['’]ll| will| shall)? (?:not|never)\b|\b(?:I|we) won['’]t\b|\b(?:must|should|shall|may) (?:not|never)\b|\b(?:decided|agreed|promised) (?:not|against)\b|\bnever (?=pay|delete|touch|push|use|send|store|deploy|share|change|commit|merge|log)/i,
  /我不会|我们不会|不会再|决定不|不得|禁止|严禁|切勿|绝不|(?:必须|一律|约定)不/,
];
const NEGATED =
  /\b(?:not|never|no|none|cannot|without|avoid\w*|forb[ia]d\w*|prohibit\w*|refus\w*|except|untouched|unchanged|off[- ]limits|only|exclud\w*|keep|leave|ban(?:ned)?|neither|nor|skip|refrain|unless|stay|rul\w+ out|declin\w*)\b|n['’]t\b|不|勿|别|禁|未|无|除|避免|没|仅|只|杜绝/i;

const IGNORED = new Set(
  'do don not never must mustn should shouldn may shall can cannot be is are was were will won would the a an of to in on at for from by with and or but if it its this that these those any our my your their we you they them us me i please without avoid no any all ever also as so than then there here under circumstances allowed forbidden prohibited refrain off limits just up out'.split(
    ' ',
  ),
);
const IGNORED_CHINESE =
  /不要|不得|不准|不许|不允许|不应该?|不该|禁止|严禁|切勿|请勿|绝不|决不|永远|从不|一律|不可以?|未经|避免|杜绝|不再|不能|千万|任何|我们|你们|所有|[别勿不的了吧请在把被和与或及是也都就还将会给让对于中要我你他它这那]/g;

export function findNegations(text: string, by: 'user' | 'assistant'): FoundItem[] {
  const markers = by === 'user' ? FORBIDS : COMMITS;
  return sentencesOf(text).flatMap(({ text: sentence, start }) => {
    if (sentence.endsWith('?') || !isConstraint(sentence, markers)) return [];
    const clause = clauseOf(sentence, markers);
    const units = contentUnits(clause);
    if (units.length === 0) return [];
    const keys = [`negation:${[...units].sort().join(' ')}`];
    return [{ kind: 'negatedConstraint' as const, text: clause, keys, start }];
  });
}

/** The sentences of a summary by the content words in them: how much of a constraint is there? */
export class NegatedSentences {
  private readonly sentencesOf = new Map<string, number[]>();

  constructor(text: string) {
    let isListForbidden = false;
    sentencesOf(text).forEach(({ text: sentence }, index) => {
      const isNegated = NEGATED.test(sentence);
      if (!/^[-*•\d]/.test(sentence)) isListForbidden = false;
      if (isNegated || isListForbidden) this.add(sentence, index);
      if (isNegated && /[:：]$/.test(sentence)) isListForbidden = true;
    });
  }

  holds(clause: string): boolean {
    const units = contentUnits(clause);
    const shared = new Map<number, number>();
    let most = 0;
    for (const unit of units) {
      for (const sentence of this.sentencesOf.get(unit) ?? []) {
        const count = (shared.get(sentence) ?? 0) + 1;
        shared.set(sentence, count);
        most = Math.max(most, count);
      }
    }
    return most > 0 && most >= units.length * SHARED_AT_LEAST;
  }

  private add(sentence: string, index: number): void {
    for (const unit of contentUnits(sentence)) {
      const sentences = this.sentencesOf.get(unit) ?? [];
      // A word of very many sentences says little, and would make the comparison slow.
      if (sentences.length < 200) sentences.push(index);
      this.sentencesOf.set(unit, sentences);
    }
  }
}

/** Of its content words, that a summary may say the constraint in other words. */
const SHARED_AT_LEAST = 0.5;

function isConstraint(sentence: string, markers: readonly RegExp[]): boolean {
  if (!markers.some((marker) => marker.test(sentence))) return false;
  return !NO_CONSTRAINT.some((exception) => exception.test(sentence));
}

interface Sentence {
  readonly text: string;
  readonly start: number;
}

function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  for (const piece of text.split(SENTENCE_END)) {
    const trimmed = piece.trim();
    if (trimmed !== '') sentences.push({ text: trimmed, start });
    start += piece.length + 1;
  }
  return sentences;
}

/** The part of a long sentence that forbids; a short sentence as a whole. */
function clauseOf(sentence: string, markers: readonly RegExp[]): string {
  const plain = sentence.replace(/^(?:[-*•>]+|\d{1,3}[.)、])\s*/, '');
  if (plain.length <= LONG_SENTENCE_CHARACTERS) return plain;
  const parts = plain.split(/(?<=[,，:：])/);
  const first = parts.findIndex((part) => markers.some((marker) => marker.test(part)));
  const clause = first < 0 ? plain : parts.slice(first, first + 2).join('');
  return clause
    .slice(0, CLAUSE_CHARACTERS_MAX)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
}

/** Stems of the Latin words that carry the meaning, and pairs of Chinese characters. */
function contentUnits(text: string): readonly string[] {
  const units = new Set<string>();
  for (const word of text.toLowerCase().match(/[a-z0-9][a-z0-9_./-]*[a-z0-9]|[a-z0-9]/g) ?? []) {
    if (!IGNORED.has(word)) units.add(stem(word));
  }
  for (const run of text.replace(IGNORED_CHINESE, ' ').match(/[\u3400-\u9fff]+/g) ?? []) {
    if (run.length === 1) units.add(run);
    for (let index = 0; index + 1 < run.length; index += 1) units.add(run.slice(index, index + 2));
  }
  return [...units];
}

function stem(word: string): string {
  if (word.length < 5) return word.replace(/s$/, '');
  return word.replace(/(?:ations?|ings?|ed|es|s|e)$/, '').replace(/(.)\1$/, '$1');
}
