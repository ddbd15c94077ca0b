import { ConnectionLimits } from '../limits/connection-limits.ts';
import type { Classify } from '../meaning/outcome.ts';
import type { Ports } from '../ports/ports.ts';
import type { EngineSettings } from '../ports/settings.ts';
import { PipeconnectServers } from '../smtp/pipeconnect.ts';
import { Gate } from '../targets/targets.ts';

/** What all batches of an engine share. */
export type ClientContext = {
  readonly ports: Ports;
  readonly settings: EngineSettings;
  readonly limits: ConnectionLimits;
  readonly gate: Gate;
  readonly pipeconnect: PipeconnectServers;
  readonly classify: Classify;
  /** The number of the next session, for the trace. */
  readonly nextSession: () => number;
};

/** Throws if a route is not an address range. */
export function createContext(ports: Ports, settings: EngineSettings, classify: Classify): ClientContext {
  let opened = 0;
  return {
    ports,
    settings,
    limits: new ConnectionLimits(ports.clock, settings.egress, settings.limits, settings.observer),
    gate: new Gate(settings.routes),
    pipeconnect: new PipeconnectServers(),
    classify,
    nextSession: () => (opened += 1),
  };
}
