import type { Outcome } from '../../schema/evidence.ts';
import { jobPayloadSchema, type ToHost, toHostSchema } from '../../schema/link.ts';
import { isRefunded } from '../../schema/outcomes.ts';
import { parseJson } from '../../schema/parse-json.ts';
import { DELIVERABLE, seen } from '../../schema/testing/evidence.ts';
import { FakeClock } from '../../schema/testing/fake-clock.ts';
import { onLink } from '../../schema/testing/link-evidence.ts';
import type { Sink } from '../fleet/batch/batch-answer.ts';
import { type FleetLimits, LIMITS } from '../fleet/batch/limits.ts';
import type { FleetServices } from '../fleet/batch/services.ts';
import { Batches } from '../fleet/object/batches.ts';
import { HostNotes } from '../fleet/object/host-notes.ts';
import { LinkEvents } from '../fleet/object/link-events.ts';
import { Roster } from '../fleet/object/roster.ts';
import { lotsOf } from '../fleet/trust/rendezvous.ts';
import { MapStore } from './map-store.ts';
import { hello, scriptedSocket, ScriptedSockets, type ScriptedSocket, status } from './scripted-links.ts';

// Hosts on real links of a real object's parts, all of whose canaries pass and some of which lie; counts what customers
// paid for their lies.

export const NXDOMAIN: Outcome = { kind: 'no_mail_domain', why: 'nxdomain' };
export const SERVFAIL: Outcome = { kind: 'mx_lookup_failed' };
export const MISSING: Outcome = { kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } };
export const CATCH_ALL: Outcome = { ...DELIVERABLE, madeUp: { kind: 'accepted' } };

/** What a host reports for a domain of which this is true; `mx` null: by an implicit MX. */
export type Says = (domain: string, truth: Outcome) => Outcome | { readonly outcome: Outcome; readonly mx: null };
export const HONEST: Says = (_domain, truth) => truth;

/** Domains that begin with `dead` do not exist, those with `none` lack the mailbox. */
export function truthOf(domain: string): Outcome {
  if (domain.startsWith('none')) return MISSING;
  return domain.startsWith('dead') ? NXDOMAIN : DELIVERABLE;
}

const ANSWERS_MS = 20;
const limitsOf = (): FleetLimits => LIMITS;
const noSettings = (): Promise<string> => Promise.resolve('');

export class LyingFleet {
  readonly clock = new FakeClock();
  readonly store = new MapStore();
  /** `<event> <host> <why>`. */
  readonly logged: string[] = [];
  /** Evidence, how much of it was wrong and charged, and how many addresses were not probed. */
  readonly count = { all: 0, wrong: 0, unprobed: 0 };
  /** Hosts that leave single addresses unanswered: their comparisons stay open. */
  readonly slow = new Set<string>();
  /** Whether a host acknowledges the jobs of an account, says that they run, and reports nothing. */
  isMute: (host: string, account: string) => boolean = () => false;
  /** Hosts ping all the time. Otherwise one that says nothing counts as gone. */
  pings = false;
  readonly sockets = new Map<string, ScriptedSocket>();
  readonly roster: Roster;
  readonly events: LinkEvents;
  readonly #batches: Batches;
  readonly #tells: Readonly<Record<string, Says>>;
  readonly #cancelled = new Set<string>();
  #asking = '';
  #seed = 1;
  #ids = 0;

  /** @param every one address in this many is compared */
  constructor(says: Readonly<Record<string, Says>>, every = 50) {
    this.#tells = says;
    const log: FleetServices['log'] = (_level, event, { host, why }) =>
      void this.logged.push(`${event} ${host ?? ''} ${why ?? ''}`);
    const runtime = Object.assign(new ScriptedSockets(), { storage: { kv: this.store } });
    this.roster = new Roster(runtime, limitsOf, this.clock, log);
    /** Lehmer's generator: the same draws in every run. */
    const random = (): number => (this.#seed = (this.#seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const services: FleetServices = {
      clock: this.clock,
      limits: limitsOf,
      random,
      hosts: this.roster,
      accountNumber: (account) => account.length,
      lotOf: lotsOf('d'),
      signJob: ({ jobId }) => Promise.resolve(jobId),
      log,
    };
    this.#batches = new Batches(services, {
      shards: 1,
      counted: () => {},
      ended: () => {},
      comparisons: {
        every,
        newId: () => `compared-${(this.#ids += 1)}`,
        hasDiffered: (host) => this.roster.hasDiffered(host),
        compared: (said, { receiver, account }) => this.roster.compared(said, receiver, account),
      },
    });
    const settings = { isSandbox: false, signSettings: noSettings, waitUntil: () => {} };
    this.events = new LinkEvents(services, this.roster, this.#batches, new HostNotes(this.store), settings);
    for (const host of Object.keys(says)) this.dialIn(host);
  }

  /** A host dials in and says which jobs it is running. */
  dialIn(host: string, running: readonly string[] = []): void {
    const socket = scriptedSocket();
    const send = (text: string): void => {
      socket.sent.push(parseJson(text));
      const frame = toHostSchema.safeParse(parseJson(text));
      if (frame.success) this.#hears(host, frame.data);
    };
    Object.defineProperty(socket, 'pingedAt', { get: () => (this.pings ? this.clock.now() : null) });
    this.sockets.set(host, Object.assign(socket, { send }));
    this.events.dialled(socket, host, false);
    this.says(
      host,
      hello(`instance-of-${host}-12345`, {
        egress: [`192.0.2.${this.sockets.size}`],
        running: [...running],
        slots: 20_000,
      }),
    );
    this.says(host, status({ checked: true }));
  }

  /** Runs one batch and counts its results. */
  async ask(account: string, domains: readonly string[]): Promise<void> {
    this.#asking = account;
    const addresses = domains.map((domain): [string, string] => ['x', domain]);
    const job = { batchId: `b-${(this.#ids += 1)}`, account, accountClass: 'bought', addresses } as const;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const write: Sink['write'] = (lines) => {
      for (const line of lines) if (line.type === 'evidence') this.#judge(domains[line.i] ?? '', line.evidence.outcome);
    };
    this.#batches.dispatch({ ...job, remainingMs: 90_000 }, { write, end, unread: 0 }, () => this.roster.slots);
    await this.clock.finish(ended);
  }

  /** Why a host is not healthy, as an operator would see it. */
  complaint(host: string): string | null {
    return this.roster.connected().find(({ id }) => id === host)?.why ?? null;
  }

  #hears(host: string, frame: ToHost): void {
    if (frame.type === 'cancel') this.#cancelled.add(frame.job);
    if (frame.type !== 'job') return;
    if (this.isMute(host, this.#asking)) {
      this.says(host, { v: 1, type: 'ack', job: frame.token });
      return this.#saysItRuns(host, frame.token);
    }
    const { addresses } = jobPayloadSchema.parse(parseJson(frame.payload));
    if (addresses.length === 1 && this.slow.has(host)) {
      this.says(host, { v: 1, type: 'ack', job: frame.token });
      return;
    }
    const says = this.#tells[host] ?? HONEST;
    const mx = [
      { n: 0, mx: ['mx.a.test'], mxFound: true },
      { n: 1, mx: [], mxFound: false },
    ];
    const items = addresses.map(([, domain], index) => {
      const said = says(domain, truthOf(domain));
      const evidence = 'outcome' in said ? { ...onLink(seen(said.outcome)), mx: 1 } : onLink(seen(said));
      return { index, evidence };
    });
    this.clock.after(ANSWERS_MS, () => this.says(host, { v: 1, type: 'evidence', job: frame.token, mx, items }));
  }

  #saysItRuns(host: string, job: string): void {
    if (this.#cancelled.has(job)) return;
    this.says(host, { v: 1, type: 'alive', job });
    this.clock.after(5_000, () => this.#saysItRuns(host, job));
  }

  /** A host sends a frame on its link. */
  says(host: string, frame: object): void {
    const socket = this.sockets.get(host);
    if (socket !== undefined) this.events.heard(socket, JSON.stringify(frame));
  }

  #judge(domain: string, outcome: Outcome): void {
    this.count.all += 1;
    if (outcome.kind === 'unprobed') this.count.unprobed += 1;
    const truth = truthOf(domain);
    const isCatchAll = outcome.kind === 'accepted' && outcome.madeUp.kind === 'accepted';
    const isWrong = outcome.kind !== truth.kind || isCatchAll;
    if (isWrong && !isRefunded(outcome)) this.count.wrong += 1;
  }
}
