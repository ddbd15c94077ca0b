import { madeUpLocal } from '../../engine/catch-all/made-up.ts';
import { classifyFor, type Meaning } from '../../engine/meaning/classify.ts';
import type { Ports, Resolve } from '../../engine/ports/ports.ts';
import { DEFAULTS, type Egress } from '../../engine/ports/settings.ts';
import { judgeIp, type Family } from '../../engine/targets/routable.ts';
import { type Gate, type Target, targetsOf as dialable } from '../../engine/targets/targets.ts';
import { helloCommand, mailCommand, rcptCommand } from '../../engine/wire/command.ts';
import type { Reply } from '../../engine/wire/reply.ts';
import { talk } from './talk.ts';

// Whether known mail servers talk to each address of this host. One of several may have no route, be filtered, or lead
// into a proxy: evidence from there would be wrong about every receiver.

const REPLY_MS = 10_000;

export type Ways = {
  readonly ports: Pick<Ports, 'dial' | 'clock' | 'random'> & { readonly resolve: Resolve };
  readonly gate: Gate;
  readonly egress: readonly Egress[];
  readonly mailFrom: string;
};
/** From one address. */
export type WayOut = Omit<Ways, 'egress'> & { readonly from: Egress; readonly families: readonly Family[] };

/** @returns the positions of the addresses that too few hosts greet */
export function whoIsGreeted(ways: Ways, hosts: readonly string[], signal: AbortSignal): Promise<readonly number[]> {
  return failingOf(ways, (way) =>
    half(
      hosts,
      async (host, ends) => {
        const targets = await targetsOf(way, host, ends);
        const said = await Promise.all(targets.map((target) => repliesOf(way, target, [], ends)));
        return countOf(
          way,
          targets,
          said.some(([greeting]) => greeting?.code === 220),
        );
      },
      signal,
    ),
  );
}

/**
 * A way out on which everyone is accepted, or everyone deferred, leads to no real server.
 * @returns the positions of the addresses for which too few of the domains' servers refuse a mailbox that cannot exist
 */
export function whoIsRefused(ways: Ways, domains: readonly string[], signal: AbortSignal): Promise<readonly number[]> {
  return failingOf(ways, (way) =>
    half(
      domains,
      async (domain, ends) => {
        const { targets, replies } = await askRecipients(way, domain, [madeUpLocal(way.ports.random)], ends);
        // Any refusal of the mailbox: 5xx at RCPT, RFC 5321 §4.2.1.
        return countOf(way, targets, (replies[0]?.code ?? 0) >= 500);
      },
      signal,
    ),
  );
}

/** What a server says of a mailbox that must exist and of one that cannot. */
export type Likeness =
  | 'apart' // it accepts the first and refuses the second: as it should be
  | 'both_refused' // as mailboxes: what a host gets at every server if something on its way refuses for it
  | 'both_accepted'
  | 'unclear'; // deferred, refused for another reason, not reached

/** Of a refusal with one of these meanings a host would report a mailbox as dead. */
const REFUSALS: ReadonlySet<Meaning> = new Set(['no_such_mailbox', 'relay_denied']);

/** Asks the server of a mailbox that must exist about it and about a made-up one, in one transaction. */
export async function likenessOf(way: WayOut, mailbox: string, signal: AbortSignal): Promise<Likeness> {
  const at = mailbox.lastIndexOf('@');
  const domain = mailbox.slice(at + 1);
  const locals = [mailbox.slice(0, at), madeUpLocal(way.ports.random)];
  const { replies } = await askRecipients(way, domain, locals, signal);
  const classify = classifyFor(way.mailFrom);
  const [real, madeUp] = locals.map((local, n) => {
    const reply = replies[n];
    return reply === undefined ? null : classify('rcpt', reply, { local, domain }).meaning;
  });
  if (real === undefined || real === null || madeUp === undefined || madeUp === null) return 'unclear';
  if (real === 'accepted' && madeUp === 'accepted') return 'both_accepted';
  if (!REFUSALS.has(madeUp)) return 'unclear';
  if (real === 'accepted') return 'apart';
  return REFUSALS.has(real) ? 'both_refused' : 'unclear';
}

/**
 * Only the refusal of a mailbox that must exist, beside that of one that cannot, says that a way out is sick.
 * @returns the positions of the addresses for which that holds, and of those of which no mailbox says anything
 */
export async function whoIsDenied(
  ways: Ways,
  mailboxes: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly denied: readonly number[]; readonly unclear: readonly number[] }> {
  const proven = new Set<Egress>();
  const denied = await failingOf(ways, (way) =>
    half(
      mailboxes,
      async (mailbox, ends) => {
        const likeness = await likenessOf(way, mailbox, ends);
        if (likeness === 'apart') proven.add(way.from);
        return likeness === 'apart' || (likeness === 'both_refused' ? false : null);
      },
      signal,
    ),
  );
  const unclear = ways.egress.flatMap((from, n) => (proven.has(from) || denied.includes(n) ? [] : [n]));
  return { denied, unclear: mailboxes.length === 0 ? [] : unclear };
}

/** One session with a domain's best mail server. @returns its replies to the recipients */
async function askRecipients(way: WayOut, domain: string, locals: readonly string[], signal: AbortSignal) {
  const { ports, mailFrom, from } = way;
  const answer = await ports.resolve.mx(domain, signal);
  const records = answer.kind === 'found' ? answer.records.toSorted((a, b) => a.preference - b.preference) : [];
  const host = answer.kind === 'none' ? domain : records[0]?.exchange;
  const targets = host === undefined ? [] : await targetsOf(way, host, signal);
  const commands = [
    helloCommand('EHLO', from.heloName),
    mailCommand(mailFrom, false),
    ...locals.map((local) => rcptCommand(local, domain)),
  ];
  const [target] = targets;
  const replies = target === undefined ? [] : await repliesOf(way, target, commands, signal);
  return { targets, replies: replies.slice(1 + commands.length - locals.length) };
}

async function failingOf(ways: Ways, passes: (way: WayOut) => Promise<boolean>): Promise<readonly number[]> {
  const passed = await Promise.all(ways.egress.map((from) => passes({ ...ways, from, families: familiesOf(from) })));
  return passed.flatMap((isWell, place) => (isWell ? [] : [place]));
}

/** One per family that is used from there. */
async function targetsOf(
  { ports, gate, families }: WayOut,
  host: string,
  signal: AbortSignal,
): Promise<readonly Target[]> {
  const { targets } = dialable(host, await ports.resolve.addresses(host, signal), gate, ports.random);
  return families.flatMap((family) => targets.find((target) => target.family === family) ?? []);
}

/** A server without IPv6 says nothing about an address of that family. */
function countOf({ families }: WayOut, targets: readonly Target[], passes: boolean): Passed {
  return targets.length === 0 && !families.includes(4) ? null : passes;
}

/** The families of one of our addresses: both if the system chooses. */
export function familiesOf({ ip }: Egress): readonly Family[] {
  const family = ip === null ? null : (judgeIp(ip)?.family ?? null);
  return family === null ? [4, 6] : [family];
}

async function repliesOf(
  { ports: { dial, clock }, from }: WayOut,
  { ip, port }: Target,
  commands: readonly string[],
  signal: AbortSignal,
): Promise<readonly Reply[]> {
  const call = { dial, clock, target: { ip, port, from: from.ip }, limits: DEFAULTS.timeouts, signal };
  const talked = await talk(call, commands, REPLY_MS);
  return talked.kind === 'undialled' ? [] : talked.replies;
}

/** Passes, does not pass, or cannot be asked this way and does not count. */
type Passed = boolean | null;

/**
 * Whether at least half of the items that count pass; true if none counts. As soon as that is decided the others are no
 * longer waited for. An item that fails with an error does not pass.
 */
export async function half(
  items: readonly string[],
  passes: (item: string, ends: AbortSignal) => Promise<Passed>,
  signal: AbortSignal,
): Promise<boolean> {
  if (items.length === 0) return true;
  const decided = new AbortController();
  const ends = AbortSignal.any([signal, decided.signal]);
  let [passed, failed, counted] = [0, 0, items.length];
  return new Promise((resolve) => {
    const count = (one: Passed): void => {
      if (one === null) counted -= 1;
      else if (one) passed += 1;
      else failed += 1;
      if (passed * 2 < counted && failed * 2 <= counted) return;
      resolve(passed * 2 >= counted);
      decided.abort();
    };
    for (const item of items) passes(item, ends).then(count, () => count(false));
  });
}
