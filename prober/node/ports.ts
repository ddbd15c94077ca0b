import type { Ports } from '../engine/ports/ports.ts';
import { clock } from './clock.ts';
import { dial } from './dial.ts';
import { random } from './random.ts';
import { createResolve } from './resolve.ts';
import type { ResolveOptions } from './scope.ts';

export type NodePortsOptions = ResolveOptions;

/** The engine's four ports on this machine: its network, its resolvers or the named ones, its clock and its CSPRNG. */
export function createNodePorts(options: NodePortsOptions): Ports {
  return { dial, resolve: createResolve(options), clock, random };
}
