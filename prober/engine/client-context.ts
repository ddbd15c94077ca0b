import type { Classify } from './meaning/outcome.ts';
import type { ConnectionLimits } from './limits/connection-limits.ts';
import type { Ports } from './ports/ports.ts';
import type { EngineSettings } from './ports/settings.ts';
import type { PipeconnectServers } from './smtp/pipeconnect.ts';
import type { Gate } from './targets/targets.ts';

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
