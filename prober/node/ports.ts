import type { Ports, Resolve } from '../engine/ports/ports.ts';
import { clock } from './clock.ts';
import { dial } from './dial.ts';
import { random } from './random.ts';
import { createResolve, type ResolveFor } from './resolve.ts';
import type { ResolveOptions } from './scope.ts';

export type NodePortsOptions = ResolveOptions;

/** `resolveFor` gives an account a DNS port of its own, which waits in turn with the others'; `resolve` is that of 0. */
export type NodePorts = Ports & { readonly resolveFor: ResolveFor; readonly resolve: Resolve };

/** The engine's four ports on this machine: its network, its resolvers or the named ones, its clock and its CSPRNG. */
export function createNodePorts(options: NodePortsOptions): NodePorts {
  const resolveFor = createResolve(options, random);
  return { dial, resolve: resolveFor(0), resolveFor, clock, random };
}
