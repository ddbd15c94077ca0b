import type { JobPayload, LinkEvidence, ToHost } from '../../../schema/link.ts';
import type { SignedJob } from '../keys/sign-job.ts';
import type { PeersOfBatch } from './peers.ts';
import type { FleetLine } from '../../base/fleet-protocol.ts';
import type { HostRef, Member } from './roster.ts';

/** What a batch under way asks of the object that holds the links, and of its clock. */
export type FleetWorld = {
  now(): number;
  /** Runs once after so many milliseconds unless the returned function is called first. */
  after(delayMs: number, run: () => void): () => void;
  /** Uniform in [0, 1). */
  random(): number;
  /** Every process whose link stands. */
  members(): readonly Member[];
  /** @returns false if the link is gone */
  send(instance: string, frame: ToHost): boolean;
  /** @returns the number by which hosts know an account */
  numberOf(accountId: string): number;
  /** @returns the JWS of a job for this host */
  sign(job: SignedJob): Promise<string>;
  /** The host begins, or no longer has, this job. */
  note(instance: string, jobId: string, runs: boolean): void;
  /** What the hosts have shown so far. */
  readonly peers: PeersOfBatch;
  /** Evidence of a batch is final: one of so many addresses is put to another host too, apart from the batch. */
  readonly compare?: (offer: Offer) => void;
  /** The process left a job unanswered, or answered one. */
  doubt(instance: string, doubted: boolean): void;
  log(level: 'info' | 'warn' | 'error', event: string, fields: Readonly<Record<string, string | number>>): void;
};

/** What a batch offers: evidence that is final, and where it came from. */
export type Offer = {
  readonly from: HostRef;
  readonly evidence: LinkEvidence;
  readonly account: string;
  /** The text of a job that asks about this address alone. */
  readonly payload: () => string;
};

/** Where the lines of one batch go. */
export type Sink = {
  write(lines: readonly FleetLine[]): void;
  /** The last line was written. */
  end(): void;
  /** Breaks the stream off without its last line. */
  abandon(): void;
  /** Bytes written that the reader has not taken. */
  readonly unread: number;
};

export type Addresses = JobPayload['addresses'];
