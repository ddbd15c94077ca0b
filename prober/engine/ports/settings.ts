import { PROVIDER_LIMITS, type ProviderLimits } from '../providers/provider-limits.ts';
import { PROVIDER_FACTS, type ProviderFacts } from '../providers/provider-facts.ts';
import type { EngineObserver } from './observer.ts';

// What an operator decides about the engine. Every number has its unit in its name.

/** One address that this host probes from: its EHLO name must be its PTR and resolve back to it. */
export type Egress = { readonly ip: string | null; readonly heloName: string };

/**
 * Addresses in `cidr` may be private, and are dialled on `port`: only for mail worlds of one's own. With `ip` their servers
 * really listen at that loopback address; everything else, limits too, goes by their own.
 */
export type Route = { readonly cidr: string; readonly port: number; readonly ip?: string };

/** One line of a dialogue, for an operator who must understand one verdict. It names addresses: never on by default. */
export type TraceEvent = {
  readonly atMs: number;
  /** Numbers the sessions of this engine: lanes talk at the same time. */
  readonly session: number;
  readonly host: string;
  readonly ip: string;
  /** `sent` and `received` are lines on the wire; `note` is what the engine did. */
  readonly direction: 'sent' | 'received' | 'note';
  readonly line: string;
};

/** How fast and how often this host connects to others, counted per egress address, except `inAll`. */
export type LimitSettings = {
  readonly connections: {
    readonly perAddress: number;
    readonly inAll: number;
  };
  /** Connections started to one dialled address, or to a listed provider, in any minute. */
  readonly connectionsPerMinute: number;
  /** Unknown recipients at one dialled address, or at a listed provider, in any hour. */
  readonly invalidPerHour: number;
  /** Large receiving providers, which also have limits of their own. */
  readonly providers: readonly ProviderLimits[];
};

export type EngineSettings = {
  readonly egress: readonly [Egress, ...Egress[]];
  /** Envelope sender of every probe; its domain has MX and SPF. */
  readonly mailFrom: string;
  readonly routes: readonly Route[];
  /** Domains probed at once in one batch. */
  readonly lanes: number;
  readonly timeouts: {
    readonly connectMs: number;
    readonly greetingMs: number;
    readonly commandMs: number;
  };
  readonly startTls: 'when_demanded' | 'always';
  /** What one session may cost a server. MTAs punish refusals, and RSET does not reset their count. */
  readonly budgets: {
    /** Refusals (4xx and 5xx to RCPT) per session. */
    readonly refusals: number;
    /** The same if the server looks like Postfix or Exim, which tolerate more. */
    readonly refusalsPatient: number;
    /** Recipients per session, including the made-up one. */
    readonly recipients: number;
  };
  /** How far a domain's MX list is followed: a list of a hundred hosts costs no more than this. */
  readonly reach: {
    readonly hosts: number;
    readonly addresses: number;
  };
  readonly limits: LimitSettings;
  /** Providers where an acceptance means less than elsewhere, or that are not dialled at all. */
  readonly providers: readonly ProviderFacts[];
  readonly trace?: (event: TraceEvent) => void;
  /** Called with everything that can be counted. */
  readonly observer?: EngineObserver;
  /** Called with a bug met while probing; the recipients it hit are reported `unprobed`. */
  readonly onBug?: (error: unknown) => void;
};

export const DEFAULTS: Omit<EngineSettings, 'egress' | 'mailFrom' | 'trace' | 'observer' | 'onBug'> = {
  routes: [],
  lanes: 20,
  timeouts: { connectMs: 10_000, greetingMs: 30_000, commandMs: 30_000 },
  startTls: 'when_demanded',
  budgets: { refusals: 4, refusalsPatient: 9, recipients: 50 },
  reach: { hosts: 16, addresses: 16 },
  limits: {
    connections: { perAddress: 10, inAll: 2_000 },
    connectionsPerMinute: 100,
    // A tenth of the refusals that a hundred sessions a minute could cause; an account alone has half: 500 five times.
    invalidPerHour: 5_000,
    providers: PROVIDER_LIMITS,
  },
  providers: PROVIDER_FACTS,
};
