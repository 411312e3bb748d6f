import type { Json } from './content.js';
import { graphqlFaults } from './graphql-probe.js';
import { type HttpRequestTemplate, requestFaults } from './http-request.js';
import { valueAt } from './json-pointer.js';

/** What the target says of an operation. */
export type ProbeAnswer = 'found' | 'notFound' | 'inProgress' | 'unclear' | 'error';

type Scalar = string | number | boolean | null;

/** One line of the table from a target's answer to what it means; the first that matches counts. */
export interface ProbeRule {
  readonly status: readonly number[];
  /** RFC 6901, into the JSON body. With none of the three conditions it must exist. */
  readonly pointer?: string;
  readonly equals?: Scalar;
  readonly in?: readonly Scalar[];
  readonly exists?: boolean;
  readonly answer: 'found' | 'notFound' | 'inProgress';
}

/** A read-only status query that the server itself sends (reconciliation protocol, §11.2). */
export interface HttpProbe extends HttpRequestTemplate {
  /** Says that a POST changes nothing. */
  readonly readOnly?: boolean;
  /** A GraphQL query, sent by POST with the variables `opKey` and `externalRef`. */
  readonly graphql?: string;
  readonly rules: readonly ProbeRule[];
  /** Where the answer names the target's own id of the operation. */
  readonly externalRefPointer?: string;
}

/**
 * Fences the target: afterwards it refuses the operation key, whenever a request still arrives. It
 * may be repeated, and it only blocks (reconciliation protocol, §11.6).
 */
export interface VoidRequest extends HttpRequestTemplate {
  /** Status codes that say: from now on this key has no effect. */
  readonly voidedStatus: readonly number[];
}

export interface HttpProbeReading {
  readonly answer: ProbeAnswer;
  readonly externalRef?: string;
  /** The value that the rule looked at, as JSON; nothing else of the body is kept. */
  readonly excerpt?: string;
}

/** Status codes that say nothing about the operation, whatever a rule says. */
const NO_ANSWER = [401, 403, 407, 429];
const EXCERPT_CHARACTERS_MAX = 256;
const RULES_MAX = 32;

/** What an answer means. `body` is undefined when it is not JSON. */
export function readProbeAnswer(
  probe: HttpProbe,
  status: number,
  body: Json | undefined,
): HttpProbeReading {
  if (NO_ANSWER.includes(status) || status >= 500 || (status >= 300 && status < 400)) {
    return { answer: 'error' };
  }
  // A GraphQL server that could not answer says so with status 200.
  if (probe.graphql !== undefined && valueAt(body, '/errors') !== undefined) {
    return { answer: 'error' };
  }
  const rule = probe.rules.find((candidate) => matches(candidate, status, body));
  return {
    answer: rule?.answer ?? 'unclear',
    externalRef: externalRefIn(probe, body),
    excerpt: rule?.pointer === undefined ? undefined : excerptOf(valueAt(body, rule.pointer)),
  };
}

function matches(rule: ProbeRule, status: number, body: Json | undefined): boolean {
  if (!rule.status.includes(status)) return false;
  if (rule.pointer === undefined) return true;
  if (body === undefined) return false;
  const value = valueAt(body, rule.pointer);
  if (rule.exists === false) return value === undefined;
  if (value === undefined) return false;
  if (rule.equals !== undefined) return value === rule.equals;
  return rule.in === undefined || rule.in.some((one) => one === value);
}

function externalRefIn(probe: HttpProbe, body: Json | undefined): string | undefined {
  if (probe.externalRefPointer === undefined) return undefined;
  const value = valueAt(body, probe.externalRefPointer);
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[\x20-\x7e]{1,256}$/.test(text) ? text : undefined;
}

function excerptOf(value: Json | undefined): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined;
  return JSON.stringify(value).slice(0, EXCERPT_CHARACTERS_MAX);
}

type Fields = Readonly<Record<string, unknown>>;

const PROBE_FIELDS = [
  'method',
  'urlTemplate',
  'headers',
  'readOnly',
  'graphql',
  'rules',
  'externalRefPointer',
];
const VOID_FIELDS = ['method', 'urlTemplate', 'headers', 'voidedStatus'];
const RULE_FIELDS = ['status', 'pointer', 'equals', 'in', 'exists', 'answer'];

/** What is wrong with a probe as somebody wrote it, in words. */
export function httpProbeFaults(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return ['httpProbe must be an object'];
  const probe = value as Fields;
  const { method, readOnly, graphql, rules, externalRefPointer } = probe;
  const faults = [
    ...unknownFields(probe, PROBE_FIELDS, 'httpProbe'),
    ...requestFaults(probe, 'httpProbe', { namesOperation: graphql === undefined }),
  ];
  if (readOnly !== undefined && typeof readOnly !== 'boolean') {
    faults.push('httpProbe.readOnly must be true or false');
  }
  if (graphql !== undefined) faults.push(...graphqlFaults(graphql, probe));
  else if (method === 'POST' && readOnly !== true) {
    faults.push('httpProbe.method POST needs readOnly: true, which says that it changes nothing');
  }
  if (externalRefPointer !== undefined && !isPointer(externalRefPointer)) {
    faults.push('httpProbe.externalRefPointer must be a JSON pointer such as /id');
  }
  if (!Array.isArray(rules) || rules.length === 0 || rules.length > RULES_MAX) {
    return [...faults, `httpProbe.rules must be a list of 1 to ${RULES_MAX} rules`];
  }
  return [...faults, ...rules.flatMap(ruleFaults)];
}

/** What is wrong with a void as somebody wrote it, in words. */
export function voidFaults(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return ['voidByKey must be an object'];
  const request = value as Fields;
  const { urlTemplate, voidedStatus } = request;
  const faults = [
    ...unknownFields(request, VOID_FIELDS, 'voidByKey'),
    ...requestFaults(request, 'voidByKey', { namesOperation: true }),
  ];
  if (typeof urlTemplate === 'string' && !urlTemplate.includes('{opKey}')) {
    faults.push('voidByKey.urlTemplate must name the {opKey}');
  }
  const isList = Array.isArray(voidedStatus) && voidedStatus.length > 0;
  if (!isList || !voidedStatus.every((status) => isStatus(status) && Number(status) < 500)) {
    faults.push('voidByKey.voidedStatus must be a list of HTTP status codes below 500');
  }
  return faults;
}

export function unknownFields(
  value: Fields,
  known: readonly string[],
  at: string,
): readonly string[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => `${at}.${name} is not known; there are ${known.join(', ')}`);
}

function ruleFaults(value: unknown, index: number): readonly string[] {
  const at = `httpProbe.rules[${index}]`;
  if (typeof value !== 'object' || value === null) return [`${at} must be an object`];
  const rule = value as Fields;
  const faults = [...unknownFields(rule, RULE_FIELDS, at)];
  const { status, pointer, equals, exists, answer } = rule;
  if (!Array.isArray(status) || status.length === 0 || !status.every(isStatus)) {
    faults.push(`${at}.status must be a list of HTTP status codes`);
  }
  if (answer !== 'found' && answer !== 'notFound' && answer !== 'inProgress') {
    faults.push(`${at}.answer must be found, notFound or inProgress`);
  }
  if (pointer !== undefined && !isPointer(pointer)) {
    faults.push(`${at}.pointer must be a JSON pointer such as /state`);
  }
  const conditions = ['equals', 'in', 'exists'].filter((name) => rule[name] !== undefined);
  if (conditions.length > 1) faults.push(`${at}: one of ${conditions.join(', ')}, not several`);
  if (conditions.length > 0 && pointer === undefined) faults.push(`${at} needs a pointer`);
  if (equals !== undefined && !isScalar(equals)) faults.push(`${at}.equals must be a plain value`);
  const list = rule['in'];
  if (list !== undefined && !(Array.isArray(list) && list.length > 0 && list.every(isScalar))) {
    faults.push(`${at}.in must be a list of plain values`);
  }
  if (exists !== undefined && typeof exists !== 'boolean') {
    faults.push(`${at}.exists must be true or false`);
  }
  return faults;
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isPointer(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 256 && /^(\/([^~/]|~[01])*)*$/.test(value);
}
