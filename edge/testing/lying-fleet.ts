import type { Outcome } from '../../schema/evidence.ts';
import { jobPayloadSchema, type ToHost } from '../../schema/link.ts';
import { isRefunded } from '../../schema/outcomes.ts';
import { parseJson } from '../../schema/parse-json.ts';
import { FakeClock } from '../../schema/testing/fake-clock.ts';
import { DELIVERABLE, seen } from '../../schema/testing/evidence.ts';
import { onLink } from '../../schema/testing/link-evidence.ts';
import type { FleetLine } from '../base/fleet-protocol.ts';
import { type BatchServices, FleetBatch } from '../fleet/batch/fleet-batch.ts';
import { type FleetLimits, LIMITS } from '../fleet/batch/limits.ts';
import type { SignedJob } from '../fleet/keys/sign-job.ts';
import { HostRecords } from '../fleet/trust/host-records.ts';
import type { Member } from '../fleet/trust/roster.ts';
import type { HostLinks } from '../fleet/trust/services.ts';
import { makeMember } from './member.ts';

// Hosts whose canaries pass and some of which lie, real batches, and what customers paid for of it.

export const NXDOMAIN: Outcome = { kind: 'no_mail_domain', why: 'nxdomain' };
export const SERVFAIL: Outcome = { kind: 'mx_lookup_failed' };

/** What a host says of a domain of which this is true. */
export type Says = (domain: string, truth: Outcome, nowMs: number) => Outcome;
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
  #seed = 1;

  constructor(hosts: Readonly<Record<string, Says>>) {
    this.#says = new Map(Object.entries(hosts));
    this.#members = Object.keys(hosts).map((host) => makeMember({ host, instance: host, egress: [host] }));
  }

  /** Why a host is out, as the operator reads it; null: it is not. */
  complaint(host: string): string | null {
    const member = this.#members.find((one) => one.host === host);
    return member === undefined ? null : this.hosts.complaint(member);
  }

  /** When the operator was told of a host, in seconds; null: never. */
  outAfterS(host: string): number | null {
    const line = this.logged.find((one) => one.includes(`host_unhealthy ${host}`));
    return line === undefined ? null : Number(line.split(' ')[0]);
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
  readonly accountNumber = (account: string): number => account.length;
  readonly signJob = ({ jobId }: SignedJob): Promise<string> => Promise.resolve(jobId);
  members(): readonly Member[] {
    return this.hosts.look(this.#members.map((member) => ({ ...member, heardAt: this.clock.now() })));
  }
  setUnresponsive(): void {}
  jobLost(): void {}
  jobBegan(): void {}
  jobEnded(): void {}

  send(instance: string, frame: ToHost): boolean {
    const batch = frame.type === 'job' ? this.#batches.get(frame.token.slice(0, frame.token.lastIndexOf('.'))) : null;
    if (frame.type !== 'job' || batch === null || batch === undefined) return true;
    const { addresses } = jobPayloadSchema.parse(parseJson(frame.payload));
    const evidence = addresses.map(([, domain]) => {
      const outcome = this.#says.get(instance)?.(domain, truthOf(domain), this.clock.now()) ?? NXDOMAIN;
      return onLink(seen(outcome));
    });
    this.count.asked += addresses.length;
    const items = evidence.map((one, index) => ({ index, evidence: one }));
    const say = (isQuick: boolean, afterMs: number): void => {
      const part = items.filter(({ evidence: { outcome } }) => outcome.kind in QUICK === isQuick);
      const mx = [{ n: 0, mx: ['mx.a.test'], mxFound: true }];
      if (part.length > 0)
        this.clock.after(afterMs, () =>
          batch.hear(instance, { v: 1, type: 'evidence', job: frame.token, mx, items: part }),
        );
    };
    say(true, LOOKS_UP_MS);
    say(false, CONVERSES_MS);
    return true;
  }

  #begin(batchId: string, { account, domains }: Asked): void {
    const write = (lines: readonly FleetLine[]): void => {
      for (const line of lines) if (line.type === 'evidence') this.#judge(domains[line.i] ?? '', line.evidence.outcome);
    };
    const sink = { write, end: () => {}, abandon: () => {}, unread: 0 };
    const addresses = domains.map((domain): [string, string] => ['x', domain]);
    const batch = new FleetBatch({ v: 1, batchId, addresses, remainingMs: 90_000, account }, sink, this, () => {});
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
