import type { ToHost } from '../../../schema/link.ts';
import type { LogFields } from '../../base/log-fields.ts';
import type { SignedJob } from '../keys/sign-job.ts';
import type { HostRef, Hosts, Member } from '../trust/host.ts';
import type { LotOf } from '../trust/rendezvous.ts';
import type { Receiver } from '../trust/receiver.ts';
import type { Final } from './addresses.ts';
import type { BatchOutcome } from './batch-outcome.ts';
import type { FleetLimits } from './limits.ts';

export type Clock = {
  /** Milliseconds. */
  now(): number;
  /** Runs once after this many milliseconds, unless the returned function is called first. */
  after(delayMs: number, run: () => void): () => void;
};
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields: LogFields) => void;

/** The hosts, as batches need them: `Roster` in the object. */
export interface HostPort extends Pick<Hosts, 'works' | 'isAvoided'> {
  /** It gets nothing of this account while another host is there. */
  isLeftOut(host: HostRef, account: string): boolean;
  /** Every process with an open link and a recent sign of life. */
  members(): readonly Member[];
  /** Addresses that a host was given lately, as a decaying count. */
  assignedTo(host: HostRef): number;
  /** @returns false if the link is gone */
  send(instance: string, frame: ToHost): boolean;
  /** The process has this job, of this many addresses, from now on. */
  jobBegan(host: HostRef, jobId: string, addresses: number): void;
  /** The process no longer has this job, or was never given it. */
  jobEnded(host: HostRef, jobId: string): void;
  /** A mail server answered it. */
  reached(host: HostRef): void;
  /** It completed a job. */
  succeeded(host: HostRef): void;
  /** It refused a job or left it unanswered. */
  failed(host: HostRef, why: string): void;
  /** Another host was asked too, after this one had reported nothing for so long, and got further. */
  outdone(host: HostRef, receiver: Receiver, account: string, silentMs: number): void;
}

/** What the batches of one Fleet object work with: created once, with the object. */
export type FleetServices = {
  readonly clock: Clock;
  readonly limits: () => FleetLimits;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly hosts: HostPort;
  /** The number by which hosts know an account: it means nothing outside this object. */
  readonly accountNumber: (accountId: string) => number;
  /** The rank of a host when a domain of an account is assigned. */
  readonly lotOf: LotOf;
  /** @returns the token under which a host runs the job */
  readonly signJob: (job: SignedJob) => Promise<string>;
  readonly log: Log;
};

/** An address, as its JSON, with its final evidence. */
export type Settled = Final & { readonly account: string; readonly address: string };

/** Called with the results of batches. */
export type BatchEvents = {
  readonly settled: (settled: Settled) => void;
  /** Called once with the outcome of a batch, unless its caller disconnected. */
  readonly ended: (outcome: BatchOutcome) => void;
};
