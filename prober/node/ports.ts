import type { Clock, Ports } from '../engine/ports.ts';

// Placeholder until the real ports are here: a clock and a lot, no network.

export type NodePortsOptions = {
  readonly dns: readonly string[];
  readonly stubs: ReadonlyArray<{ readonly zone: string; readonly server: string }>;
};

const clock: Clock = {
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};

export function createNodePorts(_options: NodePortsOptions): Ports {
  return {
    dial: () => Promise.resolve({ kind: 'failed' }),
    resolve: {
      mx: () => Promise.resolve({ kind: 'failed' }),
      addresses: () => Promise.resolve({ addresses: [], certain: false }),
    },
    clock,
    random: () => Math.random(),
  };
}
