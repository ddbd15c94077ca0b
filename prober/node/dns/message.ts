import ipaddr from 'ipaddr.js';

// DNS messages (RFC 1035 §4.1), in which every octet may be hostile.

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

const REFUSED: Said = { kind: 'refused' };
const HEADER_OCTETS = 12;
/** RFC 1035 §3.1, without the root's. */
const NAME_OCTETS_MAX = 254;
/** A name of the longest has as many labels, each behind a pointer of its own. */
const POINTERS_MAX = 127;
/** Of a longer answer the first are read: reading names is what makes a hostile answer dear. */
const RECORDS_MAX = 1_000;
/** RFC 1034 §3.6.2 wants chains of aliases short; what is longer is a loop or a joke. */
const ALIASES_MAX = 16;
const CLASS_IN = 1;
const TYPES = { A: 1, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const satisfies Record<RecordType, number>;
const [NS, CNAME, SOA, RRSIG] = [2, 5, 6, 46] as const;
const NX_DOMAIN = 3;

/** The question as it goes out over TCP, behind its length: recursion desired, no EDNS. */
export function encodeQuestion({ name, type }: Question, id: number): Buffer {
  const message = Buffer.alloc(2 + HEADER_OCTETS + name.length + 6);
  message.writeUInt16BE(message.length - 2, 0);
  message.writeUInt16BE(id, 2);
  message.writeUInt8(1, 4); // recursion desired
  message.writeUInt8(1, 7); // one question
  let at = 2 + HEADER_OCTETS;
  for (const label of name.split('.')) {
    at = message.writeUInt8(label.length, at);
    at += message.write(label, at, 'latin1');
  }
  message.writeUInt16BE(TYPES[type], at + 1);
  message.writeUInt16BE(CLASS_IN, at + 3);
  return message;
}

/**
 * Reads what a server answered. Records count only when their owner is the name that was asked for, or the end of the
 * chain of aliases that begins there. Of more than a thousand records the first thousand count; the rest is not looked at.
 */
export function readAnswer(message: Buffer, { name, type }: Question): Said {
  const reader = new Reader(message, name);
  reader.at = 2;
  const [flags, questions, answers, authorities] = [reader.uint16(), reader.uint16(), reader.uint16(), reader.uint16()];
  reader.at = HEADER_OCTETS;
  const isOurs = reader.isAsked() && reader.uint16() === TYPES[type] && reader.uint16() === CLASS_IN;
  const code = flags & 0x000f;
  // It is an answer, to our question, and whole.
  if ((flags & 0xfa00) !== 0x8000 || questions !== 1 || !isOurs || reader.broken) return REFUSED;
  if (code !== 0 && code !== NX_DOMAIN) return REFUSED;
  const isAuthoritative = (flags & 0x0400) !== 0;
  if (answers === 0 && code === 0)
    return !isAuthoritative && isReferral(reader, authorities) ? REFUSED : { kind: 'none' };
  const said = answers === 0 ? REFUSED : readRecords(reader, answers, { name, type });
  if (code === 0) return said;
  // A name that does not exist may be the end of a chain of aliases. With records of its own it is a contradiction.
  return said.kind === 'found' ? REFUSED : { kind: 'nxdomain' };
}

/** What counts of a record. `other`: of a type or a class that nobody asks for here. */
type Owned = { readonly owner: string } & (
  | { readonly kind: 'record'; readonly record: DnsRecord }
  | { readonly kind: 'alias'; readonly target: string }
  | { readonly kind: 'signature' | 'other' }
);

function readRecords(reader: Reader, count: number, { name, type }: Question): Said {
  const answers: Owned[] = [];
  const isCut = count > RECORDS_MAX;
  for (let left = Math.min(count, RECORDS_MAX); left > 0 && !reader.broken; left -= 1) answers.push(readRecord(reader));
  if (reader.broken) return REFUSED;
  const end = endOfAliases(name, answers);
  // Aliases in a circle have no record of any other type, which is certain.
  if (end === null) return { kind: 'none' };
  const records = answers.flatMap((one) =>
    one.kind === 'record' && one.record.type === type && one.owner === end ? [one.record] : [],
  );
  if (records.length > 0) return { kind: 'found', records };
  // Nothing but the chain of aliases: the name at its end has no such record. Anything else is about other names.
  const isChain = !isCut && end !== name && answers.every(({ kind }) => kind === 'alias' || kind === 'signature');
  return isChain ? { kind: 'none' } : REFUSED;
}

/** One record. Data that is longer or shorter than its length says breaks the reader. */
function readRecord(reader: Reader): Owned {
  const owner = reader.name();
  const type = reader.uint16();
  const isInternet = reader.uint16() === CLASS_IN;
  reader.advance(4);
  const octets = reader.uint16();
  const end = reader.at + octets;
  const one = { owner, ...readData(reader, isInternet ? type : 0, end) } as const;
  if (reader.at !== end) reader.broken = true;
  return one;
}

const record = (of: DnsRecord) => ({ kind: 'record', record: of }) as const;

function readData(reader: Reader, type: number, end: number) {
  switch (type) {
    case TYPES.A:
      return record({ type: 'A', data: `${reader.uint8()}.${reader.uint8()}.${reader.uint8()}.${reader.uint8()}` });
    case TYPES.AAAA: {
      const octets = reader.octets(16);
      return record({ type: 'AAAA', data: reader.broken ? '' : new ipaddr.IPv6([...octets]).toRFC5952String() });
    }
    case TYPES.PTR:
      return record({ type: 'PTR', data: reader.name() });
    case TYPES.TXT:
      return record({ type: 'TXT', data: reader.text(end) });
    case TYPES.MX: {
      const preference = reader.uint16();
      return record({ type: 'MX', exchange: reader.name(), preference });
    }
    case CNAME:
      return { kind: 'alias', target: reader.name() } as const;
    default:
      reader.advance(end - reader.at);
      return { kind: type === RRSIG ? 'signature' : 'other' } as const;
  }
}

/** A server that does not recurse names others to ask, and has said nothing about the name. */
function isReferral(reader: Reader, authorities: number): boolean {
  let names = false;
  for (let left = authorities; left > 0; left -= 1) {
    reader.name();
    const type = reader.uint16();
    reader.advance(6);
    reader.advance(reader.uint16());
    if (reader.broken) return true;
    if (type === SOA) return false;
    names ||= type === NS;
  }
  return names;
}

/** Where a chain of aliases ends; null: it is a circle. Of one that is too long it is a name that nobody has. */
function endOfAliases(name: string, answers: readonly Owned[]): string | null {
  if (!answers.some(({ kind }) => kind === 'alias')) return name;
  const targets = new Map(answers.flatMap((one) => (one.kind === 'alias' ? [[one.owner, one.target] as const] : [])));
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

/** Reads from `at` on. What cannot be read is nothing or zero, and `broken` is set: it is enough to check it at the end. */
class Reader {
  readonly #message: Buffer;
  readonly #asked: string;
  /** The name at the beginning is the one that was asked for: most others end in a pointer to it. */
  #isAsked = false;
  at = 0;
  broken = false;

  constructor(message: Buffer, asked: string) {
    this.#message = message;
    this.#asked = asked;
  }

  /** @returns where the octets begin, that are passed over */
  advance(octets: number): number {
    const at = this.at;
    if (octets < 0 || at + octets > this.#message.length) this.broken = true;
    else this.at += octets;
    return at;
  }

  octets(count: number): Buffer {
    const at = this.advance(count);
    return this.broken ? Buffer.alloc(0) : this.#message.subarray(at, at + count);
  }

  uint8(): number {
    const at = this.advance(1);
    return this.broken ? 0 : (this.#message[at] ?? 0);
  }

  uint16(): number {
    const at = this.advance(2);
    return this.broken ? 0 : this.#message.readUInt16BE(at);
  }

  /**
   * A name in lower case without the last dot; '' is the root. Octets become characters one by one, and a dot inside a label
   * is escaped, so that no name passes for another.
   */
  name(): string {
    const message = this.#message;
    let [at, lowest, next, pointers, octets] = [this.at, this.at, -1, 0, 0];
    let name = '';
    for (let length = message[at] ?? 0xff; length !== 0; length = message[at] ?? 0xff) {
      if (length >= 0xc0) {
        const target = ((length - 0xc0) << 8) | (message[at + 1] ?? 0);
        pointers += 1;
        if (next < 0) next = at + 2;
        if (target === HEADER_OCTETS && this.#isAsked && octets + this.#asked.length < NAME_OCTETS_MAX) {
          this.at = next;
          return `${name}${this.#asked}`;
        }
        // RFC 1035 §4.1.4: to a name before this one, so that every chain of pointers ends.
        if (target < HEADER_OCTETS || target >= lowest || pointers > POINTERS_MAX) return this.#break();
        lowest = target;
        at = target;
        continue;
      }
      octets += length + 1;
      const end = at + 1 + length;
      if (length > 63 || octets > NAME_OCTETS_MAX || end > message.length) return this.#break();
      const label = message.toString('latin1', at + 1, end).toLowerCase();
      name += `${label.includes('.') ? label.replaceAll('.', String.raw`\.`) : label}.`;
      at = end;
    }
    this.at = next < 0 ? at + 1 : next;
    return name.slice(0, -1);
  }

  /** Whether the name here is the one that was asked for. */
  isAsked(): boolean {
    this.#isAsked = this.name() === this.#asked;
    return this.#isAsked;
  }

  /** The strings of a text record up to an octet, in one: they belong together (RFC 7208 §3.3). */
  text(end: number): string {
    let text = '';
    while (this.at < end && !this.broken) text += this.octets(this.uint8()).toString('latin1');
    return text;
  }

  #break(): string {
    this.broken = true;
    return '';
  }
}
