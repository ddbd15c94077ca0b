/** One complete SMTP reply (RFC 5321 §4.2). Lines are without code and line end; their text never leaves the host. */
export type Reply = {
  readonly code: number;
  /** From the first line that has one (RFC 2034), null if none has. */
  readonly enhanced: string | null;
  readonly lines: readonly string[];
};

/** Beyond any of these a peer is not a mail server. Real ones send more than the 512 octets a line of §4.5.3.1.5. */
export const REPLY_BOUNDS = {
  lineBytes: 4096,
  lines: 128,
  /** Per reply, including line ends and codes. */
  bytes: 65_536,
  /** Chunks that one reply may arrive in: bytes alone do not limit the work of a million tiny ones. */
  chunks: 8192,
  /** Complete replies not taken yet: none of our command groups gets more. */
  waiting: 128,
  /** Characters that are handed on, of all lines together; the rest is left out. */
  readChars: 2000,
} as const;

const LF = 10;
const CR = 13;
const DIGIT_0 = 48;
const SPACE = 32;
const HYPHEN = 45;

/** Some gateways put a # before it. An IPv4 address at the start of the text is not one. */
const ENHANCED = /^#?([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/;
const NONE = new Uint8Array();

/** Stateless between calls, so all readers share it. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const utf8Bytes = new TextEncoder();

/** Words come in any charset. A line that is not UTF-8 keeps its bytes, each as the character of its number. */
function decode(lines: Uint8Array): string {
  const text = utf8.decode(lines);
  if (!text.includes('\ufffd')) return text;
  let out = '';
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf(LF, start) + 1;
    out += decodeLine(lines.subarray(start, end));
    start = end;
  }
  return out;
}

function decodeLine(line: Uint8Array): string {
  const text = utf8.decode(line);
  if (utf8Bytes.encode(text).length === line.length) return text;
  return Array.from(line, (byte) => String.fromCharCode(byte)).join('');
}

/**
 * Turns bytes into replies, however they are split. A bare LF ends a line too. Anything that is not a reply, or exceeds
 * a limit, breaks the reader for good: what follows can no longer be matched to a command.
 */
export class ReplyReader {
  /** The peer sent bytes that are not an SMTP reply, or too many. */
  broken = false;
  /** Replaced when empty: mostly there is just one, and a push to an empty array allocates room for 17. */
  #waiting: Reply[] = [];
  /** The bytes of a line whose end has not arrived yet. */
  #carry = NONE;
  /** The part of a reply whose last line has not arrived yet. */
  #begun: { readonly code: number; readonly lines: string[]; leftChars: number } | null = null;
  #bytes = 0;
  #chunks = 0;

  /** Nothing is waiting: no reply, no part of one. */
  get empty(): boolean {
    return this.#waiting.length === 0 && this.#carry.length === 0 && this.#begun === null;
  }

  next(): Reply | null {
    return this.#waiting.shift() ?? null;
  }

  /** Takes bytes as received. They are not kept: the caller may reuse its buffer. */
  feed(bytes: Uint8Array): void {
    if (this.broken) return;
    this.#bytes += bytes.length;
    this.#chunks += 1;
    if (this.#chunks > REPLY_BOUNDS.chunks) return this.break();
    const all = this.#carry.length === 0 ? bytes : joined(this.#carry, bytes);
    const end = all.lastIndexOf(LF) + 1;
    if (end > 0) this.#takeLines(decode(end === all.length ? all : all.subarray(0, end)));
    if (this.broken) return;
    if (this.#bytes > REPLY_BOUNDS.bytes || all.length - end > REPLY_BOUNDS.lineBytes) return this.break();
    this.#carry = end === all.length ? NONE : all.slice(end);
  }

  #takeLines(text: string): void {
    for (let start = 0; start < text.length && !this.broken;) {
      const lf = text.indexOf('\n', start);
      this.#takeLine(text, start, text.charCodeAt(lf - 1) === CR ? lf - 1 : lf);
      start = lf + 1;
    }
  }

  #takeLine(text: string, start: number, end: number): void {
    const code = replyCode(text, start, end);
    if (code === null || end - start > REPLY_BOUNDS.lineBytes) return this.break();
    this.#begun ??= { code, lines: [], leftChars: REPLY_BOUNDS.readChars };
    const { code: first, lines, leftChars } = this.#begun;
    const line = text.slice(start + 4, Math.min(end, start + 4 + leftChars));
    lines.push(line);
    this.#begun.leftChars -= line.length;
    if (code !== first || lines.length > REPLY_BOUNDS.lines) return this.break();
    if (text.charCodeAt(start + 3) === HYPHEN) return;
    const reply = { code, enhanced: enhancedOf(lines), lines };
    if (this.#waiting.length === 0) this.#waiting = [reply];
    else this.#waiting.push(reply);
    this.#begun = null;
    this.#bytes = 0;
    this.#chunks = 0;
    if (this.#waiting.length > REPLY_BOUNDS.waiting) this.break();
  }

  break(): void {
    this.broken = true;
    this.#carry = NONE;
    this.#begun = null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** Three digits, the first 1 to 5, then a space, a hyphen or the end of the line (RFC 5321 §4.2.1). */
function replyCode(text: string, start: number, end: number): number | null {
  const hundreds = text.charCodeAt(start) - DIGIT_0;
  const tens = text.charCodeAt(start + 1) - DIGIT_0;
  const ones = text.charCodeAt(start + 2) - DIGIT_0;
  if (!(hundreds >= 1 && hundreds <= 5 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9)) return null;
  const separator = text.charCodeAt(start + 3);
  if (end - start > 3 && separator !== SPACE && separator !== HYPHEN) return null;
  return hundreds * 100 + tens * 10 + ones;
}

function enhancedOf(lines: readonly string[]): string | null {
  for (const line of lines) {
    const found = ENHANCED.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}
