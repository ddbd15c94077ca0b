// Every line sent to a server is built here, and nowhere else. Each is checked again, even if it was parsed before:
// anything that a peer would read as a second command must not leave this file.

const LINE_OCTETS_MAX = 512; // RFC 5321 §4.5.3.1.4, CR LF included
const ASCII_NAME = /^[a-z0-9.[\]:_-]+$/i;
/** The characters of most paths. */
const PLAIN = /^[\w.+@-]+$/;
const NON_ASCII = /[^\0-\x7f]/;

export const QUIT = 'QUIT\r\n';
export const RSET = 'RSET\r\n';
export const STARTTLS = 'STARTTLS\r\n';

/** RFC 5321 §4.1.1.1. `name` is a host name or an address literal. */
export function helloCommand(verb: 'EHLO' | 'HELO', name: string): string {
  if (!ASCII_NAME.test(name)) throw new Error('a name for EHLO has an octet that no host name has');
  return line(`${verb} ${name}`);
}

/** RFC 5321 §4.1.1.2; SMTPUTF8 is a parameter of MAIL alone (RFC 6531 §3.4). */
export function mailCommand(sender: string, smtpUtf8: boolean): string {
  return line(`MAIL FROM:<${checkedPath(sender)}>${smtpUtf8 ? ' SMTPUTF8' : ''}`);
}

/** RFC 5321 §4.1.1.3. */
export function rcptCommand(local: string, domain: string): string {
  return line(`RCPT TO:<${checkedPath(`${local}@${domain}`)}>`);
}

export function isAscii(text: string): boolean {
  return !NON_ASCII.test(text);
}

function line(text: string): string {
  // At most three octets per UTF-16 unit; only long lines are worth counting.
  if (text.length * 3 + 2 > LINE_OCTETS_MAX && new TextEncoder().encode(text).length + 2 > LINE_OCTETS_MAX)
    throw new Error('a command line has more than 512 octets');
  return `${text}\r\n`;
}

/** No control character anywhere; no space or angle bracket outside a quoted string (RFC 5321 §4.1.2). */
function checkedPath(path: string): string {
  if (PLAIN.test(path)) return path;
  let quoted = false;
  for (let i = 0; i < path.length; i += 1) {
    const unit = path.charCodeAt(i);
    const char = path[i];
    const escaped = quoted && char === '\\';
    if (escaped) i += 1;
    const checked = escaped ? path.charCodeAt(i) : unit;
    // A backslash at the end escapes nothing: NaN is in no range.
    if (!(checked >= 0x20 && checked !== 0x7f)) throw new Error('a mailbox has a control character');
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === ' ' || char === '<' || char === '>'))
      throw new Error('a mailbox has a space or an angle bracket outside a quoted string');
  }
  if (quoted) throw new Error('a mailbox has an open quoted string');
  return path;
}
