import { isIP } from 'node:net';
import { decode, RECURSION_DESIRED, type Answer as AnyRecord, type DecodedPacket } from 'dns-packet';

export type RecordType = 'A' | 'AAAA' | 'MX' | 'PTR' | 'TXT';

/** A name in lower case, A-labels, without the last dot. */
export type Question = { readonly name: string; readonly type: RecordType };

export type DnsRecord =
  /** An IP address, a host name, or the strings of a text record in one. */
  | { readonly type: 'A' | 'AAAA' | 'PTR' | 'TXT'; readonly data: string }
  /** `exchange` is '' for the root. */
  | { readonly type: 'MX'; readonly exchange: string; readonly preference: number };

/** What a server said about one question. */
export type Said =
  | { readonly kind: 'found'; readonly records: readonly DnsRecord[] }
  | { readonly kind: 'none' } // NODATA
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'refused' }; // SERVFAIL, REFUSED and the like, a referral, or what cannot be read

/** What one message said: it may be cut, which asks for TCP. */
export type Read = Said | { readonly kind: 'truncated' };

const HEADER_OCTETS = 12;
/** Besides the letters and dots of its name: the first label's length, the root, type and class. */
const QUESTION_OCTETS = 6;
const CLASS_IN = 1;
const TYPES = { A: 1, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const satisfies Record<RecordType, number>;
const NO_ERROR = 0;
const NX_DOMAIN = 3;
/** RFC 1034 §3.6.2 wants chains short; what is longer is a loop or a joke. */
const ALIASES_MAX = 16;

/** The question as it goes out (RFC 1035 §4.1): recursion desired, no EDNS, so that an answer over UDP is 512 octets. */
export function encodeQuestion({ name, type }: Question, id: number): Buffer {
  const message = Buffer.allocUnsafe(HEADER_OCTETS + name.length + QUESTION_OCTETS);
  message.writeUInt16BE(id, 0);
  message.writeUInt16BE(RECURSION_DESIRED, 2);
  message.writeUInt16BE(1, 4); // one question
  message.writeUInt16BE(0, 6); // no records
  message.writeUInt32BE(0, 8);
  let at = HEADER_OCTETS;
  for (const label of name.split('.')) {
    at = message.writeUInt8(label.length, at);
    at += message.write(label, at, 'latin1');
  }
  at = message.writeUInt8(0, at);
  at = message.writeUInt16BE(TYPES[type], at);
  message.writeUInt16BE(CLASS_IN, at);
  return message;
}

/** The id of a message that could be an answer, else null. */
export function answerId(message: Buffer): number | null {
  const isAnswer = message.length >= HEADER_OCTETS && (message.readUInt8(2) & 0xf8) === 0x80;
  return isAnswer ? message.readUInt16BE(0) : null;
}

/**
 * Reads what a server answered. Records count only when their owner is the name that was asked for, or the end of the
 * chain of aliases that begins there.
 * @returns null for an answer to another question (RFC 5452 §9.1): the real one may still come
 */
export function readAnswer(message: Buffer, question: Question): Read | null {
  const packet = decoded(message);
  if (packet === null) return { kind: 'refused' };
  const code = message.readUInt8(3) & 0x0f;
  const [asked] = packet.questions ?? [];
  // A server that could not read the question may leave it away.
  if (asked === undefined) return code === NO_ERROR ? null : { kind: 'refused' };
  if (!matches(asked, question)) return null;
  if (packet.flag_tc) return { kind: 'truncated' };
  if (code === NX_DOMAIN) return { kind: 'nxdomain' };
  if (code !== NO_ERROR) return { kind: 'refused' };
  return readRecords(packet, question);
}

function decoded(message: Buffer): DecodedPacket | null {
  try {
    return decode(message);
  } catch {
    return null;
  }
}

function matches(asked: { name: string; type: string; class?: string | undefined }, question: Question): boolean {
  return asked.name.toLowerCase() === question.name && asked.type === question.type && asked.class === 'IN';
}

function readRecords(packet: DecodedPacket, { name, type }: Question): Said {
  const answers = packet.answers ?? [];
  if (answers.length === 0) return isReferral(packet) ? { kind: 'refused' } : { kind: 'none' };
  const chain = followAliases(name, answers);
  if (chain.kind === 'circle') return { kind: 'none' };
  if (chain.kind === 'too_long') return { kind: 'refused' };
  const { end } = chain;
  const records = answers
    .filter((record) => record.type === type && record.name.toLowerCase() === end)
    .map(recordFrom)
    .filter((record) => record !== null);
  if (records.length > 0) return { kind: 'found', records };
  // Nothing but the chain of aliases: the name at its end has no such record. Anything else is about other names.
  const isChain = end !== name && answers.every((record) => record.type === 'CNAME' || record.type === 'RRSIG');
  return isChain ? { kind: 'none' } : { kind: 'refused' };
}

/** A server that does not recurse names others to ask, and has said nothing about the name. */
function isReferral({ flag_aa: isAuthoritative, authorities = [] }: DecodedPacket): boolean {
  const has = (type: string): boolean => authorities.some((record) => record.type === type);
  return !isAuthoritative && has('NS') && !has('SOA');
}

type Chain =
  | { readonly kind: 'ends'; readonly end: string }
  | { readonly kind: 'circle' }
  | { readonly kind: 'too_long' };

/** Where a chain of aliases ends. Aliases in a circle have no record of any other type, which is certain. */
function followAliases(name: string, answers: readonly AnyRecord[]): Chain {
  const targets = new Map<string, string>();
  for (const record of answers)
    if (record.type === 'CNAME') targets.set(record.name.toLowerCase(), record.data.toLowerCase());
  const passed = new Set<string>();
  let end = name;
  while (passed.size < ALIASES_MAX) {
    const next = targets.get(end);
    if (next === undefined) return { kind: 'ends', end };
    passed.add(end);
    if (passed.has(next)) return { kind: 'circle' };
    end = next;
  }
  return { kind: 'too_long' };
}

/** The library reads addresses past the end of a message as well: what it gives is looked at. */
function recordFrom(record: AnyRecord): DnsRecord | null {
  if (record.type === 'A' || record.type === 'AAAA')
    return isIP(record.data) === (record.type === 'A' ? 4 : 6) ? { type: record.type, data: record.data } : null;
  if (record.type === 'PTR') return { type: 'PTR', data: hostName(record.data) };
  if (record.type === 'TXT') return { type: 'TXT', data: textOf(record.data) };
  if (record.type !== 'MX') return null;
  return { type: 'MX', exchange: hostName(record.data.exchange), preference: record.data.preference ?? 0 };
}

/** Lower case, without the last dot: the root is ''. */
function hostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** The strings of one record belong together (RFC 7208 §3.3). */
function textOf(data: string | Buffer | ReadonlyArray<string | Buffer>): string {
  if (typeof data === 'string') return data;
  return Buffer.isBuffer(data) ? data.toString('latin1') : data.map(textOf).join('');
}
