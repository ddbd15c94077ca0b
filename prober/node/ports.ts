import type { Ports } from '../engine/ports/ports.ts';
import { clock } from './clock.ts';
import { createDial } from './dial.ts';
import { tellExhaustion } from '../base/exhaustion.ts';
import { random } from './random.ts';
import { createResolve, type Names, type ResolveFor } from './resolve.ts';
import type { ResolveOptions } from './scope.ts';

export type NodePortsOptions = ResolveOptions & {
  /** Called when a connection or a lookup failed because this host has no descriptor, memory or local port left. */
  readonly onExhausted?: (errno: string) => void;
};

/** `resolve` is the DNS port of account 0. */
export type NodePorts = Ports & { readonly resolveFor: ResolveFor; readonly resolve: Names };

/** The engine's four ports on this machine: its network, its resolvers or the named ones, its clock and its CSPRNG. */
export function createNodePorts(options: NodePortsOptions): NodePorts {
  const { onExhausted } = options;
  const tell = onExhausted === undefined ? undefined : tellExhaustion(onExhausted);
  const resolveFor = createResolve(options, tell);
  return { dial: createDial(tell), resolve: resolveFor(0), resolveFor, clock, random };
}
