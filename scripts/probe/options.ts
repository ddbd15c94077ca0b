import { hostname } from 'node:os';
import type { Egress, Route } from '../../prober/engine/ports/settings.ts';
import type { Stub } from '../../prober/base/options.ts';
import { ownHelo } from '../../prober/base/own-helo.ts';

export const CONCURRENCY_DEFAULT = 20;
export const DEADLINE_S_DEFAULT = 90;

export type ProbeOptions = {
  readonly dns: readonly string[];
  readonly stubs: readonly Stub[];
  readonly routes: readonly Route[];
  readonly egress: readonly [Egress, ...Egress[]];
  readonly mailFrom: string;
  /** Domains at once. */
  readonly concurrency: number;
  /** What the batch of one domain may take. */
  readonly deadlineMs: number;
  /** Names the made-up mailboxes; null: at random. */
  readonly seed: string | null;
  /** Logs each dialogue to standard error. */
  readonly trace: boolean;
  /** State folder of the `npm start` whose name servers and routes are used; null: of none. */
  readonly state: string | null;
  /** Empty: they come from standard input. */
  readonly addresses: readonly string[];
};

/** What addresses alone ask for. @param ownName this machine's own name: its EHLO name if none is given */
export function defaultOptions(addresses: readonly string[], ownName: string = hostname()): ProbeOptions {
  const { heloName, mailDomain } = ownHelo(ownName);
  return {
    dns: [],
    stubs: [],
    routes: [],
    egress: [{ ip: null, heloName }],
    mailFrom: `probe@${mailDomain}`,
    concurrency: CONCURRENCY_DEFAULT,
    deadlineMs: DEADLINE_S_DEFAULT * 1_000,
    seed: null,
    trace: false,
    state: null,
    addresses,
  };
}
