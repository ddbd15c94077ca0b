import { FakeClock } from '../../schema/testing/fake-clock.ts';
import type { ToHost } from '../../schema/link.ts';
import type { Evidence } from '../../schema/evidence.ts';
import { MxRows } from '../verify/mx-rows.ts';
import type { FleetLine } from '../base/fleet-protocol.ts';
import type { Member } from '../fleet/trust/roster.ts';
import type { SignedJob } from '../fleet/keys/sign-job.ts';
import type { FleetWorld, Sink } from '../fleet/trust/world.ts';
import { makeMember } from './member.ts';
import { ScriptedPeers } from './scripted-peers.ts';

/** A world of hosts that do nothing by themselves; tokens are the ids of the jobs. */
export class ScriptedWorld implements FleetWorld {
  readonly clock = new FakeClock();
  readonly sent: Array<[instance: string, frame: ToHost]> = [];
  readonly logged: string[] = [];
  readonly signed: SignedJob[] = [];
  peers = new ScriptedPeers();
  roster: Member[] = [];
  signs = true;

  now(): number {
    return this.clock.now();
  }
  after(delayMs: number, run: () => void): () => void {
    return this.clock.after(delayMs, run);
  }
  random(): number {
    return 0;
  }
  members(): readonly Member[] {
    return this.roster.map((m) => ({ ...m, heardAt: this.now() }));
  }
  send(instance: string, frame: ToHost): boolean {
    this.sent.push([instance, frame]);
    return this.roster.some((m) => m.instance === instance);
  }
  numberOf(accountId: string): number {
    return Number(accountId.replaceAll(/\D/g, ''));
  }

  sign(job: SignedJob): Promise<string> {
    this.signed.push(job);
    return this.signs ? Promise.resolve(job.jobId) : Promise.reject(new Error('no key'));
  }
  doubt(instance: string, doubted: boolean): void {
    this.roster = this.roster.map((m) => (m.instance === instance ? { ...m, doubted } : m));
  }
  note(instance: string, jobId: string, runs: boolean): void {
    this.roster = this.roster.map((m) => {
      if (m.instance !== instance) return m;
      const running = m.running.filter((id) => id !== jobId);
      return { ...m, running: runs ? [...running, jobId] : running };
    });
  }
  log(_level: string, event: string): void {
    this.logged.push(event);
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
  take(): string[] {
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
    rows.add(line);
    return [];
  });
}

/** A stream's lines, and how it stands. */
export class Lines implements Sink {
  readonly lines: WholeLine[] = [];
  readonly #rows = new MxRows();
  state: 'open' | 'ended' | 'abandoned' = 'open';
  readonly unread = 0;
  write(lines: readonly FleetLine[]): void {
    this.lines.push(...wholeLines(this.#rows, lines));
  }
  end(): void {
    this.state = 'ended';
  }
  abandon(): void {
    this.state = 'abandoned';
  }
}
