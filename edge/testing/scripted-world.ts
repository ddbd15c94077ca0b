import { FakeClock } from '../../schema/testing/fake-clock.ts';
import type { ToHost } from '../../schema/link.ts';
import type { Evidence } from '../../schema/evidence.ts';
import { MxRows } from '../verify/mx-rows.ts';
import type { FleetLine } from '../base/fleet-protocol.ts';
import type { Sink } from '../fleet/batch/batch-answer.ts';
import { type FleetLimits, LIMITS } from '../fleet/batch/limits.ts';
import type { BatchEvents, FleetServices, HostPort, Settled } from '../fleet/batch/services.ts';
import type { SignedJob } from '../fleet/keys/sign-job.ts';
import type { HostRef, Member } from '../fleet/trust/host.ts';
import { makeMember } from './member.ts';

/** Hosts that do nothing by themselves, as seen by a batch; tokens are the ids of the jobs. */
export class ScriptedWorld implements FleetServices, HostPort, BatchEvents {
  readonly clock = new FakeClock();
  readonly hosts = this;
  readonly sent: Array<[instance: string, frame: ToHost]> = [];
  readonly logged: string[] = [];
  readonly signed: SignedJob[] = [];
  roster: Member[] = [];
  signs = true;
  /** Processes that are not trusted where a broken host would report the same, and those that are avoided. */
  readonly broken = new Set<string>();
  readonly avoided = new Set<string>();
  /** Those that get nothing while another is there. */
  readonly leftOut = new Set<string>();
  /** The outcomes of its batches, complaints about hosts, and their jobs. */
  readonly outcomes: string[] = [];
  readonly told: string[] = [];
  readonly jobs = new Set<string>();
  readonly settledOnes: Settled[] = [];

  limits = (): FleetLimits => LIMITS;
  random = (): number => 0;
  readonly ended = (outcome: string): void => void this.outcomes.push(outcome);
  readonly settled = (one: Settled): void => void this.settledOnes.push(one);
  readonly log = (_level: string, event: string): void => {
    this.logged.push(event);
  };
  /** All hosts rank alike, so that the first of them is taken. */
  lotOf = (_account: number, _domain: number, _host: string): number => 0.5;
  readonly accountNumber = (accountId: string): number => Number(accountId.replaceAll(/\D/g, ''));
  readonly signJob = (job: SignedJob): Promise<string> => {
    this.signed.push(job);
    return this.signs ? Promise.resolve(job.jobId) : Promise.reject(new Error('no key'));
  };

  members(): readonly Member[] {
    return this.roster;
  }
  works({ instance }: HostRef): boolean {
    return !this.broken.has(instance);
  }
  isAvoided({ instance }: HostRef): boolean {
    return this.avoided.has(instance);
  }
  assignedTo(): number {
    return 0;
  }
  send(instance: string, frame: ToHost): boolean {
    this.sent.push([instance, frame]);
    return this.roster.some((m) => m.instance === instance);
  }
  jobBegan({ instance }: HostRef, jobId: string): void {
    this.jobs.add(`${instance} ${jobId}`);
  }
  jobEnded({ instance }: HostRef, jobId: string): void {
    this.jobs.delete(`${instance} ${jobId}`);
  }
  reached({ instance }: HostRef): void {
    this.told.push(`${instance} reached`);
  }
  succeeded({ instance }: HostRef): void {
    this.avoided.delete(instance);
  }
  failed({ instance }: HostRef, why: string): void {
    this.avoided.add(instance);
    this.told.push(`${instance} ${why}`);
  }

  isLeftOut({ instance }: HostRef): boolean {
    return this.leftOut.has(instance);
  }
  outdone({ instance }: HostRef, _receiver: unknown, account: string): void {
    this.told.push(`${instance} outdone for ${account}`);
  }

  join(name: string, changes: Partial<Member> = {}): Member {
    const member = makeMember({ host: name, instance: name, egress: [name] }, changes);
    this.roster.push(member);
    return member;
  }
  leave(name: string): void {
    this.roster = this.roster.filter((m) => m.instance !== name);
  }
  /** What was sent since the last time, short: `host job b.1 x,y` or `host cancel b.1`. */
  drainFrames(): string[] {
    return this.sent.splice(0).map(([instance, frame]) => {
      if (frame.type === 'job') {
        const { addresses } = JSON.parse(frame.payload);
        return `${instance} job ${frame.token} ${addresses.map((a: string[]) => a[0]).join(',')}`;
      }
      return frame.type === 'cancel' ? `${instance} cancel ${frame.job}` : `${instance} ${frame.type}`;
    });
  }
}

/** A line with the MX of its evidence in place, as the Worker joins it. For the last line just its cause. */
export type WholeLine =
  | { readonly type: 'evidence'; readonly i: number; readonly evidence: Evidence }
  | Pick<Extract<FleetLine, { type: 'end' }>, 'type' | 'cause'>;

/** Joins lines. Throws for evidence that names no MX row. */
export function wholeLines(rows: MxRows, lines: readonly FleetLine[]): readonly WholeLine[] {
  return lines.flatMap((line): readonly WholeLine[] => {
    if (line.type === 'end') return [{ type: 'end', cause: line.cause }];
    if (line.type === 'evidence') {
      const evidence = rows.join(line);
      if (evidence === null) throw new Error(`evidence of ${line.i} names no row`);
      return [{ ...line, evidence }];
    }
    rows.add(line);
    return [];
  });
}

/** A stream's lines and its state. */
export class Lines implements Sink {
  readonly lines: WholeLine[] = [];
  readonly #rows = new MxRows();
  last: Extract<FleetLine, { type: 'end' }> | null = null;
  state: 'open' | 'ended' = 'open';
  readonly unread = 0;
  write(lines: readonly FleetLine[]): void {
    for (const line of lines) if (line.type === 'end') this.last = line;
    this.lines.push(...wholeLines(this.#rows, lines));
  }
  end(): void {
    this.state = 'ended';
  }
}
