import type { Outcome } from '../../../schema/evidence.ts';
import { createEngine } from '../../../prober/engine/batch.ts';
import { DEFAULTS, type TraceEvent } from '../../../prober/engine/ports/settings.ts';
import { createNodePorts } from '../../../prober/node/ports.ts';
import type { MailWorld } from './mail-world.ts';
import { RANGE } from './servers.ts';
import { inZone } from './cases.ts';
import { ZONE } from './names.ts';

const DEADLINE_MS = 90_000;

/** The engine alone on the real servers: one engine with its limits and its memory. */
export type ProbeAlone = {
  /**
   * Probes addresses, as `inZone` completes them, in one batch.
   * @param lastsMs how long it may take; 90 s if it is not said
   * @returns what became of each, in order
   */
  readonly probe: (addresses: readonly string[], lastsMs?: number) => Promise<readonly Outcome[]>;
  /** Every line of every dialogue so far. */
  readonly lines: readonly TraceEvent[];
};

/** @param ip the loopback address to come from: each is a stranger of its own to servers that count their clients */
export function probeAlone(world: MailWorld, ip: string): ProbeAlone {
  const lines: TraceEvent[] = [];
  const ports = createNodePorts({ dns: [], stubs: [{ zone: ZONE, server: world.nameServer }] });
  const settings = {
    ...DEFAULTS,
    egress: [{ ip, heloName: 'probe.example.com' }] as const,
    mailFrom: 'verify@probe.example.com',
    routes: [{ cidr: RANGE, port: world.smtpPort }],
    trace: (event: TraceEvent) => lines.push(event),
  };
  const signals = { disposable: false, free: false, role: false, typoOf: null };
  const engine = createEngine(ports, settings, () => signals);
  return {
    lines,
    probe: async (addresses, lastsMs = DEADLINE_MS) => {
      const outcomes: Outcome[] = [];
      await engine.probe({
        account: 0,
        recipients: addresses.map((address) => {
          const [local = '', domain = ''] = inZone(address).split('@');
          return { local, domain };
        }),
        signal: new AbortController().signal,
        deadlineMs: ports.clock.now() + lastsMs,
        report: (index, { outcome }) => (outcomes[index] = outcome),
      });
      // What a batch is said to do does not depend on whether another one was here a moment ago.
      engine.endIdle();
      return outcomes;
    },
  };
}
