import type { Classify } from './outcome.ts';
import type { Recipient } from '../ports/recipient.ts';
import { networkOf } from '../targets/network.ts';
import type { Reply } from '../wire/reply.ts';
import { fold } from './words/fold.ts';
import { readText } from './words/gist.ts';
import { maskAddresses, maskHosts, maskLinks } from './words/masks.ts';

/** A reply with every name and number masked, how often it came, and from how many networks (three mean "at least three"). */
export type TemplateCount = { readonly template: string; readonly count: number; readonly networks: number };

/**
 * Counts replies that no rule knows, so that rules can grow. It stays on the host and holds no address, domain or name.
 *
 * Masks find most of what names somebody, but no mask knows all: a server may say a person's name, or an address in base64.
 * So a template is shown only once the very same words came from three networks of dialled addresses, about three mailboxes,
 * at three domains. Text that depends on the recipient differs between them, and text that does not is about none of them.
 *
 * A hostile server may want its words shown, or others forgotten. Of what is not shown yet a network holds a few places and
 * loses its own oldest for the next; of what is shown it holds some more. What is shown makes room for nothing that is not.
 */
export type Templates = {
  /** @param ip the dialled address that the reply came from */
  count(reply: Reply, recipient: Recipient, ip: string): void;
  /** The commonest first, of those that may be shown. */
  top(limit: number): TemplateCount[];
};

const TEMPLATE_CHARS = 200;
const PIECE_CHARS_MIN = 3;
/** Longer ones are tokens in the languages that put spaces between words. */
const WORD_CHARS_MAX = 30;
/** A template is shown once it came from this many networks, about this many mailboxes and domains. */
const AT_LEAST = 3;
const PLACES_OF_ONE_NETWORK = 4;
const SHOWN_OF_ONE_NETWORK = 16;
const STAND = { link: () => ' <link> ', host: () => ' <host> ', address: ' <address> ', ip: ' <ip> ' };

/** Of each as many as decide; the network that came first holds the place. Names are kept as numbers, which lead back to none. */
type Kept = {
  count: number;
  readonly holder: string;
  readonly networks: Set<string>;
  readonly domains: Set<number>;
  readonly mailboxes: Set<number>;
};

/** A counter of at most `capacity` templates. */
export function createTemplates(capacity: number): Templates {
  const kept = new Map<string, Kept>();

  function makeRoom(holder: string): boolean {
    const own = [...kept].filter(([, one]) => one.holder === holder && !mayBeShown(one));
    const oldest = own.length >= PLACES_OF_ONE_NETWORK ? own[0] : kept.size < capacity ? null : oldestHidden();
    if (oldest === undefined) return false;
    if (oldest !== null) kept.delete(oldest[0]);
    return true;
  }

  const oldestHidden = (): [string, Kept] | undefined => [...kept].find(([, one]) => !mayBeShown(one));

  /** A network that brings about ever new templates loses its rarest. */
  function holdBack(holder: string): void {
    const own = [...kept].filter(([, one]) => one.holder === holder && mayBeShown(one));
    if (own.length <= SHOWN_OF_ONE_NETWORK) return;
    const [rarest] = own.toSorted(([, a], [, b]) => a.count - b.count);
    if (rarest !== undefined) kept.delete(rarest[0]);
  }

  return {
    count(reply, recipient, ip) {
      const template = templateOf(reply, recipient);
      const network = networkOf(ip, ip.includes(':') ? 6 : 4);
      const known = kept.get(template);
      if (known === undefined && !makeRoom(network)) return;
      const one = known ?? { count: 0, holder: network, networks: new Set(), domains: new Set(), mailboxes: new Set() };
      kept.set(template, one);
      one.count += 1;
      if (mayBeShown(one)) return;
      one.networks.add(network);
      one.domains.add(numberOf(ownerOf(recipient.domain)));
      one.mailboxes.add(numberOf(recipient.local));
      if (mayBeShown(one)) holdBack(one.holder);
    },
    top(limit) {
      return [...kept]
        .filter(([, one]) => mayBeShown(one))
        .map(([template, { count, networks }]) => ({ template, count, networks: Math.min(AT_LEAST, networks.size) }))
        .toSorted((a, b) => b.count - a.count)
        .slice(0, limit);
    },
  };
}

function mayBeShown({ networks, domains, mailboxes }: Kept): boolean {
  return [networks, domains, mailboxes].every(({ size }) => size >= AT_LEAST);
}

/** `acme.de` and `acme.com` have one owner as a rule. */
function ownerOf(domain: string): string {
  return domain.slice(0, Math.max(0, domain.lastIndexOf('.'))) || domain;
}

/** FNV-1a, 32 bits, of the folded name. Two names that fall together count as one, which shows less and never more. */
function numberOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of fold(name)) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}

/** A reading of the replies of one dialled address that counts those which no rule and no code explains. */
export function countingUnknown(classify: Classify, templates: Templates, ip: string): Classify {
  return (stage, reply, recipient) => {
    const said = classify(stage, reply, recipient);
    if (recipient !== undefined && said.by === 'nothing') templates.count(reply, recipient, ip);
    return said;
  };
}

/**
 * The reply with addresses, links, host names, quoted text, tokens, all with a digit in it and every piece of the probed
 * address masked, without control characters, at most 200 characters.
 *
 * @example templateOf({ code: 550, enhanced: null, lines: ['<jo@b.example> jo is gone, id 77'] }, { local: 'jo', domain: 'b.example' })
 * // '550 - <address> <address> is gone, id <n>'
 */
export function templateOf(reply: Reply, recipient: Recipient): string {
  const pieces = piecesOf(recipient);
  const masked = fold(maskHosts(maskAddresses(maskLinks(readText(reply), STAND), STAND), STAND))
    .replace(/"[^"\n]{1,100}"|'[^'\n]{1,100}'(?!\p{L})/gu, ' <quoted> ')
    .replace(/\p{C}/gu, ' ')
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
  if (/\p{N}/u.test(word)) return '<n>';
  return /^[a-z._+-]+$/.test(word) && word.length > WORD_CHARS_MAX ? '<token>' : word;
}
