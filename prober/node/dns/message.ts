import { isIP } from 'node:net';
import { type Answer, decode, type DecodedPacket, RECURSION_DESIRED, streamEncode } from 'dns-packet';

// DNS messages (RFC 1035 §4.1); every octet may be hostile.

export type RecordType = 'A' | 'AAAA' | 'MX' | 'PTR' | 'TXT';

/** A name in lower case, A-labels, without the last dot. */
export type Question = { readonly name: string; readonly type: RecordType };

export type DnsRecord =
  /** An IP address, a host name, or the joined strings of a text record. */
  | { readonly type: 'A' | 'AAAA' | 'PTR' | 'TXT'; readonly data: string }
  /** `exchange` is '' for the root. */
  | { readonly type: 'MX'; readonly exchange: string; readonly preference: number };

/** A server's answer to one question. */
export type Said =
  | { readonly kind: 'found'; readonly records: readonly DnsRecord[] }
  | { readonly kind: 'none' } // NODATA
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'refused' }; // SERVFAIL, REFUSED and the like, a referral, or something unreadable

const REFUSED: Said = { kind: 'refused' };
const NONE: Said = { kind: 'none' };
/** Parts of the header's flags (RFC 1035 §4.1.1). */
const [OPCODE, CODE] = [0x7800, 0x000f];
const [NO_ERROR, NX_DOMAIN] = [0, 3];
/** RFC 1034 §3.6.2 wants chains of aliases to be short; a longer one is a loop or a joke. */
const ALIASES_MAX = 16;

/** The question as sent over TCP, after its length: recursion desired, no EDNS. */
export function encodeQuestion({ name, type }: Question, id: number): Buffer {
  return streamEncode({ type: 'query', id, flags: RECURSION_DESIRED, questions: [{ name, type, class: 'IN' }] });
}

/**
 * Reads a server's answer. Records count only if their owner is the name asked for, or the end of the chain of aliases
 * that begins there.
 */
export function readAnswer(message: Buffer, question: Question): Said {
  const packet = tryDecode(message);
  if (packet === null || !isAnswerTo(question, packet)) return REFUSED;
  const { answers = [], flags = 0 } = packet;
  const code = flags & CODE;
  if (code !== NO_ERROR && code !== NX_DOMAIN) return REFUSED;
  const isMissing = code === NX_DOMAIN;
  if (answers.length === 0) return isMissing ? { kind: 'nxdomain' } : isReferral(packet) ? REFUSED : NONE;
  const said = readRecords(answers, question);
  // A name that does not exist may be the end of a chain of aliases. With records of its own it is a contradiction.
  return !isMissing ? said : said.kind === 'found' ? REFUSED : { kind: 'nxdomain' };
}

/** The library may read an address beyond the end of the message. */
function tryDecode(message: Buffer): DecodedPacket | null {
  try {
    const packet = decode(message);
    return decode.bytes > message.length ? null : packet;
  } catch {
    return null;
  }
}

/** Whether it is a complete answer to our question. */
function isAnswerTo({ name, type }: Question, { flag_qr, flag_tc, flags = 0, questions = [] }: DecodedPacket): boolean {
  const [asked] = questions;
  if (!flag_qr || flag_tc || (flags & OPCODE) !== 0 || asked === undefined || questions.length > 1) return false;
  return nameOf(asked.name) === name && asked.type === type && asked.class === 'IN';
}

function readRecords(answers: readonly Answer[], { name, type }: Question): Said {
  const end = endOfAliases(name, answers);
  // Aliases in a circle certainly have no record of any other type.
  if (end === null) return NONE;
  const records = answers.flatMap((one) => (one.type === type && nameOf(one.name) === end ? recordOf(one) : []));
  if (records.length > 0) return { kind: 'found', records };
  // Only the chain of aliases: the name at its end has no such record. Anything else is about other names.
  const isChain = end !== name && answers.every((one) => one.type === 'CNAME' || one.type === 'RRSIG');
  return isChain ? NONE : REFUSED;
}

function recordOf(one: Answer): DnsRecord[] {
  if (!('class' in one) || one.class !== 'IN') return [];
  if (one.type === 'A' || one.type === 'AAAA') return isIP(one.data) === 0 ? [] : [{ type: one.type, data: one.data }];
  if (one.type === 'PTR') return [{ type: 'PTR', data: nameOf(one.data) }];
  if (one.type === 'TXT') return [{ type: 'TXT', data: [one.data].flat().join('') }];
  if (one.type !== 'MX') return [];
  return [{ type: 'MX', exchange: nameOf(one.data.exchange), preference: one.data.preference ?? 0 }];
}

/** Where a chain of aliases ends; null: it is a circle. For one that is too long, a name that does not exist. */
function endOfAliases(name: string, answers: readonly Answer[]): string | null {
  if (!answers.some(({ type }) => type === 'CNAME')) return name;
  const targets = new Map<string, string>();
  for (const one of answers) if (one.type === 'CNAME') targets.set(nameOf(one.name), nameOf(one.data));
  const passed = new Set<string>();
  for (let end = name; passed.size < ALIASES_MAX;) {
    const next = targets.get(end);
    if (next === undefined) return end;
    passed.add(end);
    if (passed.has(next)) return null;
    end = next;
  }
  return name;
}

/** A server that does not recurse names others to ask, and says nothing about the name. */
function isReferral({ authorities = [], flag_aa }: DecodedPacket): boolean {
  return !flag_aa && authorities.some(({ type }) => type === 'NS') && !authorities.some(({ type }) => type === 'SOA');
}

/** In lower case without the last dot; '' is the root. */
const nameOf = (name: string): string => (name === '.' ? '' : name.toLowerCase());
