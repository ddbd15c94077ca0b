import type { Reply } from '../smtp/wire/reply.ts';

const CHARS_MAX = 500;
const MAIL = String.raw`(?:e?smtp|e-?mails?|mails?|mx)\b`;
const DENIES = new RegExp(
  [
    String.raw`\b(?:no|not an?) (?:incoming |inbound )?${MAIL}`,
    String.raw`(?:\bnot|n't|\bcannot|\bno longer|\bnever) (?:accept|receive|handle|process|support|take|provide|offer|run)(?:s|ing)? (?:an? |any |incoming |inbound ){0,2}${MAIL}`,
    String.raw`\b${MAIL} (?:\w+ ){0,4}(?:not (?:accepted|available|supported|provided|offered|enabled)|unavailable|unsupported|disabled)\b`,
    String.raw`\b(?:send(?:ing)?|outbound|outgoing)[- ]only\b`,
  ].join('|'),
  'i',
);
/** It refuses us, or for now. */
const OTHERWISE =
  /\b(?:you|your|client|from|ip|address|dynamic|block\w*|\w*list(?:ed)?|spam\w*|reputation|denied|policy|temporar\w*|current\w*|later|again|now|moment|maintenance|busy|yet)\b/i;

/**
 * Whether a greeting says that the host takes no mail at all: 521 (RFC 7504), or 554 (RFC 5321 §3.1) with such words,
 * which names of hosts are not; many say 554 to a client that they refuse.
 */
export function deniesMail({ code, lines }: Reply): boolean {
  if (code !== 554) return code === 521;
  const words = lines.join(' ').slice(0, CHARS_MAX).split(' ');
  const said = words.filter((word) => !/[.@:]\w/.test(word)).join(' ');
  return DENIES.test(said) && !OTHERWISE.test(said);
}
