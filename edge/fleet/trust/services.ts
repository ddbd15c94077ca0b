import type { ToHost } from '../../../schema/link.ts';
import type { LogFields } from '../../base/log-fields.ts';
import type { SignedJob } from '../keys/sign-job.ts';
import type { HostTrust } from './host-records.ts';
import type { LotOf } from './rendezvous.ts';
import type { Member } from './roster.ts';

export type Clock = {
  /** Milliseconds. */
  now(): number;
  /** Runs once after this many milliseconds, unless the returned function is called first. */
  after(delayMs: number, run: () => void): () => void;
};

/** The links of hosts, as jobs need them. */
export interface HostLinks {
  /** Every process whose link stands and that was heard of lately. */
  members(): readonly Member[];
  /** @returns false if the link is gone */
  send(instance: string, frame: ToHost): boolean;
  /** The process has this job, of this many addresses, from now on. */
  jobBegan(instance: string, jobId: string, addresses: number): void;
  /** The process has this job no longer, or was never to have it. */
  jobEnded(instance: string, jobId: string): void;
}

/** What the batches and comparisons of one Fleet object work with: made once, with the object. */
export type FleetServices = {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly links: HostLinks;
  /** What the hosts have shown so far. */
  readonly hosts: HostTrust;
  /** The number by which hosts know an account. */
  readonly accountNumber: (accountId: string) => number;
  /** The lot of a host when a domain of an account is given out. */
  readonly lotOf: LotOf;
  /** @returns the token under which a host runs the job */
  readonly signJob: (job: SignedJob) => Promise<string>;
  readonly log: (level: 'info' | 'warn' | 'error', event: string, fields: LogFields) => void;
};
