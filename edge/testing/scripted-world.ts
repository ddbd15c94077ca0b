import { FakeClock } from '../../schema/testing/fake-clock.ts';
import type { ToHost } from '../../schema/link.ts';
import type { Evidence } from '../../schema/evidence.ts';
import { MxRows } from '../verify/mx-rows.ts';
import type { FleetLine, FleetPart } from '../base/fleet-protocol.ts';
import type { Member } from '../fleet/trust/roster.ts';
import type { SignedJob } from '../fleet/keys/sign-job.ts';
import type { Sink } from '../fleet/batch/batch-answer.ts';
import type { BatchServices } from '../fleet/batch/batch-services.ts';
import { type FleetLimits, LIMITS } from '../fleet/batch/limits.ts';
import type { Offer } from '../fleet/trust/comparisons.ts';
import type { HostLinks } from '../fleet/trust/services.ts';
import { makeMember } from './member.ts';
import { ScriptedTrust } from './scripted-trust.ts';

/** Hosts that do nothing by themselves, as a batch meets them; tokens are the ids of the jobs. */
export class ScriptedWorld implements BatchServices, HostLinks {
  readonly clock = new FakeClock();
  readonly links = this;
  readonly sent: Array<[instance: string, frame: ToHost]> = [];
  readonly logged: string[] = [];
  readonly signed: SignedJob[] = [];
  hosts = new ScriptedTrust();
  roster: Member[] = [];
  signs = true;
  /** How its batches came out. */
  readonly outcomes: string[] = [];
  readonly compare?: (offer: Offer) => void;

  limits = (): FleetLimits => LIMITS;
  random = (): number => 0;
  readonly ended = (outcome: string): void => void this.outcomes.push(outcome);
  readonly log = (_level: string, event: string): void => {
    this.logged.push(event);
  };
  /** All hosts draw the same, so that the first of them is taken. */
  lotOf = (_account: number, _domain: number, _host: string): number => 0.5;
  readonly accountNumber = (accountId: string): number => Number(accountId.replaceAll(/\D/g, ''));
  readonly signJob = (job: SignedJob): Promise<string> => {
    this.signed.push(job);
    return this.signs ? Promise.resolve(job.jobId) : Promise.reject(new Error('no key'));
  };

  members(): readonly Member[] {
    return this.roster;
  }
  send(instance: string, frame: ToHost): boolean {
    this.sent.push([instance, frame]);
    return this.roster.some((m) => m.instance === instance);
  }
  jobBegan(instance: string, jobId: string): void {
    this.#setRunning(instance, (running) => [...running.filter((id) => id !== jobId), jobId]);
  }
  jobEnded(instance: string, jobId: string): void {
    this.#setRunning(instance, (running) => running.filter((id) => id !== jobId));
  }
  #setRunning(instance: string, change: (running: readonly string[]) => readonly string[]): void {
    this.roster = this.roster.map((m) => (m.instance === instance ? { ...m, running: change(m.running) } : m));
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

/** A line with the MX of its evidence in place, as the Worker puts it together. */
export type WholeLine =
  | { readonly type: 'evidence'; readonly i: number; readonly evidence: Evidence }
  | Extract<FleetLine, { type: 'end' }>;

/** Puts lines together. Throws for evidence that names no MX row. */
export function wholeLines(rows: MxRows, lines: readonly FleetLine[]): readonly WholeLine[] {
  return lines.flatMap((line): readonly WholeLine[] => {
    if (line.type === 'end') return [line];
    if (line.type === 'evidence') {
      const evidence = rows.join(line);
      if (evidence === null) throw new Error(`evidence of ${line.i} names no row`);
      return [{ ...line, evidence }];
    }
    if (line.type === 'mx') rows.add(line);
    return [];
  });
}

/** A stream's lines, and how it stands. */
export class Lines implements Sink {
  readonly lines: WholeLine[] = [];
  readonly parts: FleetPart[] = [];
  readonly #rows = new MxRows();
  state: 'open' | 'ended' | 'abandoned' = 'open';
  readonly unread = 0;
  write(lines: readonly FleetLine[]): void {
    for (const line of lines) if (line.type === 'part') this.parts.push(line);
    this.lines.push(...wholeLines(this.#rows, lines));
  }
  end(): void {
    this.state = 'ended';
  }
  abandon(): void {
    this.state = 'abandoned';
  }
}
