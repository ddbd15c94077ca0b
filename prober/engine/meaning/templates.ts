import type { Classify } from './outcome.ts';
import type { Recipient } from '../ports/recipient.ts';
import type { Reply } from '../wire/reply.ts';
import { fold } from './words/fold.ts';
import { readText } from './words/gist.ts';
import { maskAddresses, maskHosts, maskLinks } from './words/masks.ts';

/** A reply with every name and number masked, how often it came, and from how many networks (three mean "at least three"). */
export type TemplateCount = { readonly template: string; readonly count: number; readonly networks: number };

/**
 * Counts replies that no rule knows, so that rules can grow. It stays on the host and holds no address, domain or name.
 *
 * Servers choose these words, and a hostile one may want them shown, or want others forgotten. So one is shown only once
 * it came from three networks of dialled addresses, which nobody gets for the asking. Of what came from fewer, a network
 * holds a few places and loses its own oldest for the next; what came from three makes room for none that did not.
 */
export type Templates = {
  /** @param ip the dialled address that the reply came from */
  note(reply: Reply, recipient: Recipient, ip: string): void;
  /** The commonest first, of those that may be shown. */
  top(limit: number): TemplateCount[];
};

const TEMPLATE_CHARS = 200;
const PIECE_CHARS_MIN = 3;
/** So many times, and from so many networks, must a template come to be shown: it may hold a name that no mask knew. */
const AT_LEAST = 3;
const PLACES_OF_ONE_NETWORK = 4;
const STAND = { link: () => ' <link> ', host: () => ' <host> ', address: ' <address> ', ip: ' <ip> ' };

/** Where the dialled addresses of a template lie, as many as decide, the first being who holds its place. */
type Kept = { count: number; readonly networks: Set<string>; readonly holder: string };

/** A counter of at most `capacity` templates. */
export function createTemplates(capacity: number): Templates {
  const kept = new Map<string, Kept>();
  const isCommon = ({ networks }: Kept): boolean => networks.size >= AT_LEAST;

  function makeRoom(holder: string): boolean {
    const own = [...kept].filter(([, one]) => one.holder === holder && !isCommon(one));
    const oldest = own.length >= PLACES_OF_ONE_NETWORK ? own[0] : kept.size < capacity ? null : oldestRare();
    if (oldest === undefined) return false;
    if (oldest !== null) kept.delete(oldest[0]);
    return true;
  }

  const oldestRare = (): [string, Kept] | undefined => [...kept].find(([, one]) => !isCommon(one));

  return {
    note(reply, recipient, ip) {
      const template = templateOf(reply, recipient);
      const network = networkOf(ip);
      const known = kept.get(template);
      if (known !== undefined) {
        known.count += 1;
        if (!isCommon(known)) known.networks.add(network);
      } else if (makeRoom(network)) {
        kept.set(template, { count: 1, networks: new Set([network]), holder: network });
      }
    },
    top(limit) {
      return [...kept]
        .filter(([, one]) => isCommon(one) && one.count >= AT_LEAST)
        .map(([template, { count, networks }]) => ({ template, count, networks: networks.size }))
        .toSorted((a, b) => b.count - a.count)
        .slice(0, limit);
    },
  };
}

/** The IPv4 /24 or IPv6 /48 of an address: what one operator holds. */
function networkOf(ip: string): string {
  return ip.includes(':') ? ip.split(':').slice(0, 3).join(':') : ip.split('.').slice(0, 3).join('.');
}

/** A reading of the replies of one dialled address that counts those which no rule and no code explains. */
export function countingUnknown(classify: Classify, templates: Templates, ip: string): Classify {
  return (stage, reply, recipient) => {
    const said = classify(stage, reply, recipient);
    if (recipient !== undefined && (said.by === 'nothing' || said.by === 'model')) templates.note(reply, recipient, ip);
    return said;
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
