import { isIP } from 'node:net';
import { type Answer, decode, type DecodedPacket, encode, type Packet, RECURSION_DESIRED } from 'dns-packet';
import type { MxRecord } from '../../engine/ports/ports.ts';

// DNS messages (RFC 1035 §4.1); every octet may be hostile.

export type RecordType = 'A' | 'AAAA' | 'MX' | 'PTR';

/** A name in lower case, A-labels, without the last dot. */
export type Question = { readonly name: string; readonly type: RecordType };

/** An IP address, a host name, or an exchange: '' for the root. */
export type DnsRecord = string | MxRecord;

/** A server's answer to one question. */
export type Said =
  | { readonly kind: 'found'; readonly records: readonly DnsRecord[] }
  | { readonly kind: 'none' } // NODATA
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'refused' }; // SERVFAIL, REFUSED and the like, a referral, or something unreadable

const REFUSED: Said = { kind: 'refused' };
const NONE: Said = { kind: 'none' };
/** The length of a question without its name's characters: the length field, header, name's ends, type and class. */
const FRAME_OCTETS = 20;
/** Parts of the header's flags (RFC 1035 §4.1.1). */
const [OPCODE, CODE] = [0x7800, 0x000f];
const [NO_ERROR, NX_DOMAIN] = [0, 3];
const QUERY: Packet = { type: 'query', flags: RECURSION_DESIRED, answers: [], authorities: [], additionals: [] };

/** The question as sent over TCP, after its length: recursion desired, no EDNS. */
export function encodeQuestion({ name, type }: Question, id: number): Buffer {
  const message = Buffer.allocUnsafe(FRAME_OCTETS + name.length);
  message.writeUInt16BE(message.length - 2);
  return encode({ ...QUERY, id, questions: [{ name, type, class: 'IN' }] }, message, 2);
}

/** Reads a server's answer. Records count if their owner is the name asked for, or one that an alias in it leads to. */
export function readAnswer(message: Buffer, question: Question): Said {
  const packet = tryDecode(message);
  if (packet === null || !isAnswerTo(question, packet)) return REFUSED;
  const { answers = [], flags = 0 } = packet;
  const code = flags & CODE;
  if (code !== NO_ERROR && code !== NX_DOMAIN) return REFUSED;
  const owners = new Set([question.name]);
  for (const one of answers) if (one.type === 'CNAME') owners.add(nameOf(one.data));
  const isOurs = ({ name, type }: Answer): boolean => type === question.type && owners.has(nameOf(name));
  const records = answers.flatMap((one) => (isOurs(one) ? recordOf(one) : []));
  // A name that does not exist may be the end of a chain of aliases. With records it is a contradiction.
  if (code === NX_DOMAIN) return records.length > 0 ? REFUSED : { kind: 'nxdomain' };
  if (records.length > 0) return { kind: 'found', records };
  if (answers.length === 0) return isReferral(packet) ? REFUSED : NONE;
  // Only the chain of aliases: the name at its end has no such record.
  return answers.every(({ type }) => type === 'CNAME' || type === 'RRSIG') ? NONE : REFUSED;
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

function recordOf(one: Answer): DnsRecord | [] {
  if (!('class' in one) || one.class !== 'IN') return [];
  if (one.type === 'A' || one.type === 'AAAA') return isIP(one.data) === 0 ? [] : one.data;
  if (one.type === 'PTR') return nameOf(one.data);
  return one.type === 'MX' ? { exchange: nameOf(one.data.exchange), preference: one.data.preference ?? 0 } : [];
}

/** A server that does not recurse names others to ask, and says nothing about the name. */
function isReferral({ authorities = [], flag_aa }: DecodedPacket): boolean {
  return !flag_aa && authorities.some(({ type }) => type === 'NS') && !authorities.some(({ type }) => type === 'SOA');
}

/** In lower case without the last dot; '' is the root. */
const nameOf = (name: string): string => (name === '.' ? '' : name.toLowerCase());
