/** Framing of MongoDB's wire protocol: OP_MSG both ways, and the OP_QUERY that a driver opens with. */
import { BSON } from 'mongodb';

export type Fields = Record<string, unknown>;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** Flag bit 1: the sender wants no answer. */
const MORE_TO_COME = 2;

export interface WireRequest {
  readonly id: number;
  readonly operation: number;
  readonly command: Fields;
  readonly wantsReply: boolean;
}

/** Takes whole messages off the front of what has arrived. */
export function takeMessages(received: Buffer): {
  readonly messages: readonly Buffer[];
  readonly rest: Buffer;
} {
  const messages: Buffer[] = [];
  let rest = received;
  while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
    const length = rest.readInt32LE(0);
    messages.push(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  return { messages, rest };
}

export function decodeRequest(message: Buffer): WireRequest {
  const id = message.readInt32LE(4);
  const operation = message.readInt32LE(12);
  if (operation === OP_QUERY) {
    const nameEnd = message.indexOf(0, HEADER_BYTES + 4);
    return { id, operation, command: parsed(message.subarray(nameEnd + 9)), wantsReply: true };
  }
  if (operation !== OP_MSG) throw new Error(`unsupported opcode ${operation}`);
  const flags = message.readInt32LE(HEADER_BYTES);
  const command: Fields = {};
  for (let at = HEADER_BYTES + 4; at < message.length;) {
    const isSequence = message[at] === 1;
    const end = at + 1 + message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, end);
    Object.assign(command, isSequence ? sequenceOf(section) : parsed(section));
    at = end;
  }
  return { id, operation, command, wantsReply: (flags & MORE_TO_COME) === 0 };
}

export function encodeReply(request: WireRequest, reply: Fields): Buffer {
  const body = BSON.serialize(reply, { ignoreUndefined: true });
  const legacy = request.operation === OP_QUERY;
  const head = Buffer.alloc(legacy ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(request.id, 8);
  head.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
  if (legacy) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}

/** Size, name, documents: it stands for an array field of the command. */
function sequenceOf(section: Buffer): Fields {
  const nameEnd = section.indexOf(0, 4);
  const documents: Fields[] = [];
  for (let at = nameEnd + 1; at < section.length;) {
    const length = section.readInt32LE(at);
    documents.push(parsed(section.subarray(at, at + length)));
    at += length;
  }
  return { [section.toString('utf8', 4, nameEnd)]: documents };
}

function parsed(bytes: Buffer): Fields {
  return BSON.deserialize(bytes, { promoteLongs: false }) as Fields;
}
