// What an operator decides about the engine. Everything has a unit in its name and a default in prober/config.ts.

/** One address this host probes from: its EHLO name must be its PTR and resolve back to it. */
export type Egress = { readonly ip: string | null; readonly heloName: string };

/** Addresses in `cidr` are dialled on `port` and may be private: for mail worlds of one's own only. */
export type Route = { readonly cidr: string; readonly port: number };

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
    /** For an implicit MX, which must greet with 220 in this time to count as a mail host. */
    readonly implicitGreetingMs: number;
    readonly commandMs: number;
  };
  readonly startTls: 'when_demanded' | 'always';
};

export const DEFAULTS: Pick<EngineSettings, 'routes' | 'lanes' | 'timeouts' | 'startTls'> = {
  routes: [],
  lanes: 20,
  timeouts: { connectMs: 10_000, greetingMs: 30_000, implicitGreetingMs: 5_000, commandMs: 30_000 },
  startTls: 'when_demanded',
};
