import type { Recipient } from '../ports/recipient.ts';
import type { Reply } from '../wire/reply.ts';
import { fold } from './words/fold.ts';
import { readText } from './words/gist.ts';
import { maskAddresses, maskHosts, maskLinks } from './words/masks.ts';

/** A reply with every name and number masked, and how often it came. */
export type TemplateCount = { readonly template: string; readonly count: number };

/** Counts replies that no rule knows, so that rules can grow. It stays on the host and holds no address, domain or name. */
export type Templates = {
  note(reply: Reply, recipient: Recipient): void;
  /** The commonest first. One seen less than `atLeast` times is not shown: it may hold a name that no mask knew. */
  top(limit: number, atLeast?: number): TemplateCount[];
};

const TEMPLATE_CHARS = 200;
const PIECE_CHARS_MIN = 3;
const AT_LEAST = 3;
const STAND = { link: () => ' <link> ', host: () => ' <host> ', address: ' <address> ', ip: ' <ip> ' };

/** A counter that keeps at most `capacity` templates: the one not seen for longest makes room. */
export function createTemplates(capacity: number): Templates {
  const counts = new Map<string, number>();
  return {
    note(reply, recipient) {
      const template = templateOf(reply, recipient);
      const count = (counts.get(template) ?? 0) + 1;
      counts.delete(template);
      counts.set(template, count);
      const oldest = counts.keys().next();
      if (counts.size > capacity && oldest.done !== true) counts.delete(oldest.value);
    },
    top(limit, atLeast = AT_LEAST) {
      return [...counts]
        .map(([template, count]) => ({ template, count }))
        .filter(({ count }) => count >= atLeast)
        .toSorted((a, b) => b.count - a.count)
        .slice(0, limit);
    },
  };
}

/**
 * The reply with addresses, links, host names, quoted text, all with a digit in it and every piece of the probed address
 * masked, at most 200 characters.
 *
 * @example templateOf({ code: 550, enhanced: null, lines: ['<jo@b.example> jo is gone, id 77'] }, { local: 'jo', domain: 'b.example' })
 * // '550 - <address> <address> is gone, id <n>'
 */
export function templateOf(reply: Reply, recipient: Recipient): string {
  const pieces = piecesOf(recipient);
  const masked = fold(maskHosts(maskAddresses(maskLinks(readText(reply), STAND), STAND), STAND))
    .replace(/"[^"\n]{1,100}"|'[^'\n]{1,100}'(?!\p{L})/gu, ' <quoted> ')
    .replace(/<\/?(?!(?:link|host|address|ip|quoted)>)|(?<!<(?:link|host|address|ip|quoted))>/g, ' ')
    .replace(/[\p{L}\p{N}._+-]{1,600}/gu, (word) => maskWord(word, pieces));
  const text = masked.replace(/\s+/g, ' ').trim().slice(0, TEMPLATE_CHARS);
  return `${reply.code} ${reply.enhanced ?? '-'} ${text}`;
}

/** The local part and the domain, and what stands between their dots and dashes: servers name users without their domain. */
function piecesOf({ local, domain }: Recipient): ReadonlySet<string> {
  const whole = [local, domain].map((name) => fold(name).replaceAll('"', ''));
  const parts = whole.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)).filter((part) => part.length >= PIECE_CHARS_MIN);
  return new Set([...whole, ...parts]);
}

function maskWord(word: string, pieces: ReadonlySet<string>): string {
  const bare = word.replace(/^[._+-]+|[._+-]+$/g, '');
  if (pieces.has(bare) || bare.split(/[._+-]/).some((part) => pieces.has(part))) return '<address>';
  return /\p{N}/u.test(word) ? '<n>' : word;
}
