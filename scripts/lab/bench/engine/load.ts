// What a client process of the engine's benches is asked to do, and what it answers with: one JSON line.

export type Load = {
  /** Of the name server. */
  readonly ip: string;
  /** Where the mail servers are. */
  readonly mailNet: string;
  readonly smtpPort: number;
  readonly dnsPort: number;
  /** Domains d<first>.test … one after another. */
  readonly domains: number;
  readonly addressesPerDomain: number;
  /** Addresses of one request, at most. */
  readonly perRequest: number;
  /** Requests come one after another. */
  readonly oneByOne: boolean;
  /** Sessions stay open between requests that come one after another. */
  readonly warm: boolean;
  /** Domains at once, over all batches. */
  readonly concurrency: number;
  readonly deadlineMs: number;
  /** How many of the addresses; null: all. */
  readonly addressesMax: number | null;
  /** `none`: all domains are at one address here, which the limits would spare. `default`: the engine's own. */
  readonly limits: 'none' | 'default';
  /** Domains run first and not counted: a host lives for weeks, a bench for seconds. */
  readonly warmUpDomains: number;
};

export type LoadFigures = {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly rssMiB: number;
  /** Longest delay of the event loop that 99 of 100 samples stay under. */
  readonly loopP99Ms: number;
  /** How often each outcome was seen. */
  readonly outcomes: Readonly<Record<string, number>>;
};

/** Measures one run of `work` in this process and prints its figures. */
export async function report(work: (count: (outcome: string) => void) => Promise<void>): Promise<void> {
  const { monitorEventLoopDelay } = await import('node:perf_hooks');
  const loop = monitorEventLoopDelay({ resolution: 5 });
  const outcomes: Record<string, number> = {};
  let rssBytes = 0;
  const sample = setInterval(() => {
    rssBytes = Math.max(rssBytes, process.memoryUsage.rss());
  }, 100);
  loop.enable();
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await work((outcome) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  });
  const used = process.cpuUsage(cpu);
  const figures: LoadFigures = {
    wallMs: performance.now() - startedMs,
    cpuMs: (used.user + used.system) / 1000,
    rssMiB: Math.max(rssBytes, process.memoryUsage.rss()) / 1_048_576,
    loopP99Ms: loop.percentile(99) / 1e6,
    outcomes,
  };
  clearInterval(sample);
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
}

export function readLoad(text: string | undefined): Load {
  const load: Load = JSON.parse(text ?? '');
  return load;
}
