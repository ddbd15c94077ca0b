import type { Outcome } from '../../schema/evidence.ts';
import { jobPayloadSchema, type ToHost } from '../../schema/link.ts';
import { isRefunded } from '../../schema/outcomes.ts';
import { parseJson } from '../../schema/parse-json.ts';
import { FakeClock } from '../../schema/testing/fake-clock.ts';
import { DELIVERABLE, seen } from '../../schema/testing/evidence.ts';
import { onLink } from '../../schema/testing/link-evidence.ts';
import type { FleetLine } from '../base/fleet-protocol.ts';
import { MapStore } from './map-store.ts';
import type { BatchServices } from '../fleet/batch/batch-services.ts';
import { FleetBatch } from '../fleet/batch/fleet-batch.ts';
import { type FleetLimits, LIMITS } from '../fleet/batch/limits.ts';
import type { SignedJob } from '../fleet/keys/sign-job.ts';
import { Comparisons, type Offer } from '../fleet/trust/comparisons.ts';
import { Differences } from '../fleet/trust/differences.ts';
import { HostRecords } from '../fleet/trust/host-records.ts';
import { lotsOf } from '../fleet/trust/rendezvous.ts';
import type { Member } from '../fleet/trust/roster.ts';
import type { HostLinks } from '../fleet/trust/services.ts';
import { makeMember } from './member.ts';

// Hosts whose canaries pass and some of which lie, real batches, and what customers paid for of it.

export const NXDOMAIN: Outcome = { kind: 'no_mail_domain', why: 'nxdomain' };
export const SERVFAIL: Outcome = { kind: 'mx_lookup_failed' };

/** What a host says of a domain of which this is true, asked in a job of this many addresses. */
export type Says = (domain: string, truth: Outcome, nowMs: number, size: number) => Outcome;
export const HONEST: Says = (_domain, truth) => truth;

/** What an account asks in one batch: domains; those that begin with `dead` do not exist, `none` have no such mailbox. */
export type Asked = { readonly account: string; readonly domains: readonly string[] };

export const MISSING: Outcome = { kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } };

export function truthOf(domain: string): Outcome {
  if (domain.startsWith('none')) return MISSING;
  return domain.startsWith('dead') ? NXDOMAIN : DELIVERABLE;
}

const LOOKS_UP_MS = 20;
const CONVERSES_MS = 60;

export class LyingFleet implements BatchServices, HostLinks {
  readonly clock = new FakeClock();
  readonly links = this;
  readonly logged: string[] = [];
  readonly hosts = new HostRecords(
    () => this.clock.now(),
    (_level, event, { host, why }) => this.logged.push(`${this.clock.now() / 1_000} ${event} ${host} ${why ?? ''}`),
    () => undefined,
  );
  /** Verdicts, those that were wrong and paid for, and those that nobody was asked for. */
  readonly count = { verdicts: 0, wrong: 0, unprobed: 0, asked: 0 };
  readonly #says: ReadonlyMap<string, Says>;
  readonly #members: readonly Member[];
  readonly #batches = new Map<string, FleetBatch>();
  readonly #outAfterS = new Map<string, number>();
  readonly #everyMs: number;
  #seed: number;

  /** @param everyMs between what a host says of one address and of the next; 0: all in one frame */
  constructor(hosts: Readonly<Record<string, Says>>, everyMs = 0, seed = 1) {
    this.#everyMs = everyMs;
    this.#seed = seed;
    this.#says = new Map(Object.entries(hosts));
    this.#members = Object.keys(hosts).map((host) => makeMember({ host, instance: host, egress: [host] }));
  }

  readonly differences = new Differences(
    new MapStore(),
    () => this.clock.now(),
    (_level, event, { host }) => this.logged.push(`${this.clock.now() / 1_000} ${event} ${host}`),
  );
  readonly #comparisons = new Comparisons(this, this.differences, {
    every: 50,
    newId: () => String((this.#comparing += 1)),
  });
  #comparing = 0;
  readonly compare = (offer: Offer): void => this.#comparisons.offer(offer);

  /** Why a host is not healthy, as the operator reads it; null: it is. */
  complaint(host: string): string | null {
    const member = this.#members.find((one) => one.host === host);
    return member === undefined ? null : this.hosts.complaint(member);
  }

  /** When a host was out first, in seconds; null: never. */
  outAfterS(host: string): number | null {
    return this.#outAfterS.get(host) ?? null;
  }

  /** Whether the operator was told of it. */
  isTold(host: string): boolean {
    return this.logged.some((line) => line.includes(`host_unhealthy ${host}`));
  }

  /** Asks the fleet for this many seconds, one batch after another. */
  async run(seconds: number, everyMs: number, ask: (n: number) => Asked): Promise<void> {
    const batches = (seconds * 1_000) / everyMs;
    for (let n = 0; n < batches; n += 1) {
      this.#begin(`b${this.#batches.size}`, ask(n));
      await this.clock.advance(everyMs);
    }
    await this.clock.advance(90_000);
  }

  limits(): FleetLimits {
    return LIMITS;
  }
  /** Lehmer's generator: the same lots in every run. */
  readonly random = (): number => (this.#seed = (this.#seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  readonly log = (): void => {};
  readonly lotOf = lotsOf(0.5);
  readonly accountNumber = (account: string): number => account.length;
  readonly signJob = ({ jobId }: SignedJob): Promise<string> => Promise.resolve(jobId);
  members(): readonly Member[] {
    for (const { host, instance } of this.hosts.look(this.#members))
      if (this.hosts.trustOf(instance) === 'unproven' && !this.#outAfterS.has(host))
        this.#outAfterS.set(host, this.clock.now() / 1_000);
    return this.#members;
  }
  jobBegan(): void {}
  jobEnded(): void {}

  send(instance: string, frame: ToHost): boolean {
    if (frame.type !== 'job') return true;
    const job = frame.token;
    const batchId = job.slice(0, job.lastIndexOf('.'));
    const batch = this.#batches.get(batchId);
    const { addresses } = jobPayloadSchema.parse(parseJson(frame.payload));
    const items = addresses.map(([, domain], index) => {
      const says = this.#says.get(instance) ?? HONEST;
      return { index, evidence: onLink(seen(says(domain, truthOf(domain), this.clock.now(), addresses.length))) };
    });
    this.count.asked += addresses.length;
    const mx = [{ n: 0, mx: ['mx.a.test'], mxFound: true }];
    const say = (part: typeof items, afterMs: number): void => {
      const report = { v: 1 as const, type: 'evidence' as const, job, mx, items: part };
      if (part.length > 0)
        this.clock.after(afterMs, () => {
          if (batch === undefined) this.#comparisons.hear(batchId, instance, report);
          else batch.hear(instance, report);
        });
    };
    const isQuick = ({ evidence: { outcome } }: (typeof items)[number]): boolean => outcome.kind in QUICK;
    const slow = items.filter((one) => !isQuick(one));
    say(items.filter(isQuick), LOOKS_UP_MS);
    if (this.#everyMs === 0) say(slow, CONVERSES_MS);
    else for (const [n, one] of slow.entries()) say([one], CONVERSES_MS + n * this.#everyMs);
    return true;
  }

  #begin(batchId: string, { account, domains }: Asked): void {
    const write = (lines: readonly FleetLine[]): void => {
      for (const line of lines) if (line.type === 'evidence') this.#judge(domains[line.i] ?? '', line.evidence.outcome);
    };
    const sink = { write, end: () => {}, abandon: () => {}, unread: 0 };
    const addresses = domains.map((domain): [string, string] => ['x', domain]);
    const whose = { batchId, account, accountClass: 'free' } as const;
    const batch = new FleetBatch({ v: 1, ...whose, addresses, remainingMs: 90_000 }, sink, this, () => {});
    this.#batches.set(batchId, batch);
    batch.advance();
  }

  #judge(domain: string, outcome: Outcome): void {
    this.count.verdicts += 1;
    if (outcome.kind === 'unprobed') this.count.unprobed += 1;
    if (outcome.kind !== truthOf(domain).kind && !isRefunded(outcome)) this.count.wrong += 1;
  }
}

/** Learnt without a conversation. */
const QUICK = { no_mail_domain: true, mx_lookup_failed: true, mx_private: true };
