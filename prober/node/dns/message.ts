import { HEADER_OCTETS, MessageReader } from './message-reader.ts';

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

/** Of a longer answer the first are read: reading names is what makes a hostile answer dear. */
const RECORDS_MAX = 1_000;
/** Besides the letters and dots of its name: the first label's length, the root, type and class. */
const QUESTION_OCTETS = 6;
const CLASS_IN = 1;
const TTL_OCTETS = 4;
const CLASS_AND_TTL_OCTETS = 6;
const TYPES = { A: 1, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const satisfies Record<RecordType, number>;
const [NS, CNAME, SOA, RRSIG] = [2, 5, 6, 46] as const;
/** Bits of a header's flags (RFC 1035 §4.1.1). */
const AUTHORITATIVE = 0x0400;
const TRUNCATED = 0x0200;
const RECURSION_DESIRED = 0x0100;
const CODE = 0x000f;
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
 * chain of aliases that begins there. Of more than a thousand records the first thousand count; the rest is not looked at.
 * @returns null for an answer to another question (RFC 5452 §9.1): the real one may still come
 */
export function readAnswer(message: Buffer, question: Question): Read | null {
  const reader = new MessageReader(message);
  reader.moveTo(2);
  const header: Header = {
    flags: reader.uint16(),
    questions: reader.uint16(),
    answers: reader.uint16(),
    authorities: reader.uint16(),
  };
  reader.moveTo(HEADER_OCTETS);
  const code = header.flags & CODE;
  // A server that could not read the question may leave it away.
  if (header.questions === 0) return code === NO_ERROR ? null : { kind: 'refused' };
  const isOurs = reader.name() === question.name && reader.uint16() === TYPES[question.type];
  if (reader.broken || header.questions > 1) return { kind: 'refused' };
  if (!isOurs || reader.uint16() !== CLASS_IN) return null;
  if ((header.flags & TRUNCATED) !== 0) return { kind: 'truncated' };
  if (code !== NO_ERROR && code !== NX_DOMAIN) return { kind: 'refused' };
  // A name that does not exist may be the end of a chain of aliases. With records of its own it is a contradiction.
  if (code === NX_DOMAIN && header.answers === 0) return { kind: 'nxdomain' };
  const said = readRecords(reader, header, question);
  if (code === NO_ERROR) return said;
  return said.kind === 'found' ? { kind: 'refused' } : { kind: 'nxdomain' };
}

type Header = {
  readonly flags: number;
  readonly questions: number;
  readonly answers: number;
  readonly authorities: number;
};

/** What counts of a record. `other`: of a type or a class that nobody asks for here. */
type OwnedRecord = Data & { readonly owner: string };

type Data =
  | { readonly kind: 'record'; readonly record: DnsRecord }
  | { readonly kind: 'alias'; readonly target: string }
  | { readonly kind: 'signature' | 'other' };

function readRecords(reader: MessageReader, header: Header, { name, type }: Question): Said {
  const answers: OwnedRecord[] = [];
  const isCut = header.answers > RECORDS_MAX;
  for (let left = isCut ? RECORDS_MAX : header.answers; left > 0 && !reader.broken; left -= 1)
    answers.push(readRecord(reader));
  if (answers.length === 0) return isReferral(reader, header) ? { kind: 'refused' } : { kind: 'none' };
  if (reader.broken) return { kind: 'refused' };
  const chain = followAliases(name, answers);
  if (chain.kind === 'circle') return { kind: 'none' };
  if (chain.kind === 'too_long') return { kind: 'refused' };
  const { end } = chain;
  const records: DnsRecord[] = [];
  for (const answer of answers)
    if (answer.kind === 'record' && answer.record.type === type && answer.owner === end) records.push(answer.record);
  if (records.length > 0) return { kind: 'found', records };
  // Nothing but the chain of aliases: the name at its end has no such record. Anything else is about other names.
  const isChain = !isCut && end !== name && answers.every(({ kind }) => kind === 'alias' || kind === 'signature');
  return isChain ? { kind: 'none' } : { kind: 'refused' };
}

/** One record (RFC 1035 §4.1.3). Data that is longer or shorter than its length says breaks the reader. */
function readRecord(reader: MessageReader): OwnedRecord {
  const owner = reader.name();
  const type = reader.uint16();
  const isInternet = reader.uint16() === CLASS_IN;
  reader.moveTo(reader.at + TTL_OCTETS);
  const octets = reader.uint16();
  const end = reader.at + octets;
  const data = readData(reader, isInternet ? type : 0, end);
  reader.endAt(end);
  return { ...data, owner };
}

function readData(reader: MessageReader, type: number, end: number): Data {
  switch (type) {
    case TYPES.A:
      return { kind: 'record', record: { type: 'A', data: reader.ipv4() } };
    case TYPES.AAAA:
      return { kind: 'record', record: { type: 'AAAA', data: reader.ipv6() } };
    case TYPES.PTR:
      return { kind: 'record', record: { type: 'PTR', data: reader.name() } };
    case TYPES.TXT:
      return { kind: 'record', record: { type: 'TXT', data: reader.text(end) } };
    case TYPES.MX: {
      const preference = reader.uint16();
      return { kind: 'record', record: { type: 'MX', exchange: reader.name(), preference } };
    }
    case CNAME:
      return { kind: 'alias', target: reader.name() };
    default:
      reader.moveTo(end);
      return { kind: type === RRSIG ? 'signature' : 'other' };
  }
}

/** A server that does not recurse names others to ask, and has said nothing about the name. */
function isReferral(reader: MessageReader, { flags, authorities }: Header): boolean {
  if ((flags & AUTHORITATIVE) !== 0) return false;
  let names = false;
  for (let left = authorities; left > 0; left -= 1) {
    reader.name();
    const type = reader.uint16();
    reader.moveTo(reader.at + CLASS_AND_TTL_OCTETS);
    const octets = reader.uint16();
    reader.moveTo(reader.at + octets);
    if (reader.broken) return true;
    if (type === SOA) return false;
    names ||= type === NS;
  }
  return names;
}

type Chain =
  | { readonly kind: 'ends'; readonly end: string }
  | { readonly kind: 'circle' }
  | { readonly kind: 'too_long' };

/** Where a chain of aliases ends. Aliases in a circle have no record of any other type, which is certain. */
function followAliases(name: string, answers: readonly OwnedRecord[]): Chain {
  if (!answers.some(({ kind }) => kind === 'alias')) return { kind: 'ends', end: name };
  const targets = new Map<string, string>();
  for (const answer of answers) if (answer.kind === 'alias') targets.set(answer.owner, answer.target);
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
