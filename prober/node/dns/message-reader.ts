import ipaddr from 'ipaddr.js';

export const HEADER_OCTETS = 12;
const LABEL_OCTETS_MAX = 63;
/** RFC 1035 §3.1, without the root's. */
const NAME_OCTETS_MAX = 254;
const POINTER = 0xc0;
/** A name of the longest has as many labels, each behind a pointer of its own. */
const POINTERS_MAX = 127;
const A_OCTETS = 4;
const AAAA_OCTETS = 16;

/**
 * Reads one DNS message from its beginning (RFC 1035 §4.1), in which every octet may be hostile. What cannot be read is
 * nothing or zero, and `broken` is set from then on: it is enough to check it once, at the end.
 */
export class MessageReader {
  readonly #message: Buffer;
  #at = 0;
  #broken = false;

  constructor(message: Buffer) {
    this.#message = message;
  }

  /** Something that was read was not there, or not in its form. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Where the next octet is read. */
  get at(): number {
    return this.#at;
  }

  /** Goes on at an octet. One beyond the end breaks the reader. */
  moveTo(at: number): void {
    if (at > this.#message.length) this.#broken = true;
    else this.#at = at;
  }

  /** What was read last must have ended at this octet. */
  endAt(at: number): void {
    if (this.#at !== at) this.#broken = true;
  }

  uint16(): number {
    const at = this.#advance(2);
    return at < 0 ? 0 : this.#message.readUInt16BE(at);
  }

  /**
   * A name in lower case without the last dot; '' is the root. Octets become characters one by one, and a dot inside a label
   * is escaped, so that no name passes for another.
   */
  name(): string {
    const message = this.#message;
    let at = this.#at;
    let next = -1;
    let name = '';
    let octets = 0;
    for (let lowest = at, pointers = 0; ;) {
      const length = message[at] ?? -1;
      if (length === 0) break;
      if (length >= POINTER) {
        const target = ((length - POINTER) << 8) | (message[at + 1] ?? 0);
        pointers += 1;
        // RFC 1035 §4.1.4: to a name before this one, so that every chain of pointers ends.
        if (target < HEADER_OCTETS || target >= lowest || pointers > POINTERS_MAX) return this.#breakOff();
        if (next < 0) next = at + 2;
        lowest = target;
        at = target;
        continue;
      }
      octets += length + 1;
      const end = at + 1 + length;
      if (length < 0 || length > LABEL_OCTETS_MAX || octets > NAME_OCTETS_MAX || end > message.length)
        return this.#breakOff();
      const label = message.toString('latin1', at + 1, end);
      name += (name === '' ? '' : '.') + (label.includes('.') ? label.replaceAll('.', String.raw`\.`) : label);
      at = end;
    }
    this.moveTo(next < 0 ? at + 1 : next);
    return name.toLowerCase();
  }

  /** The address in an A record's data. */
  ipv4(): string {
    const at = this.#advance(A_OCTETS);
    if (at < 0) return '';
    const [a, b, c, d] = this.#message.subarray(at, at + A_OCTETS);
    return `${a}.${b}.${c}.${d}`;
  }

  /** The address in an AAAA record's data, spelt as RFC 5952 wants it. */
  ipv6(): string {
    const at = this.#advance(AAAA_OCTETS);
    return at < 0 ? '' : new ipaddr.IPv6([...this.#message.subarray(at, at + AAAA_OCTETS)]).toRFC5952String();
  }

  /** The strings of a text record up to an octet, in one: they belong together (RFC 7208 §3.3). */
  text(end: number): string {
    let text = '';
    while (this.#at < end && !this.#broken) {
      const length = this.#message[this.#at] ?? 0;
      const at = this.#advance(1 + length);
      if (at >= 0) text += this.#message.toString('latin1', at + 1, at + 1 + length);
    }
    return text;
  }

  /** @returns where the octets begin; -1 if there are fewer */
  #advance(octets: number): number {
    const at = this.#at;
    this.moveTo(at + octets);
    return this.#broken ? -1 : at;
  }

  #breakOff(): string {
    this.#broken = true;
    return '';
  }
}
