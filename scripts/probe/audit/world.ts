import type { Clock, Dial } from '../../../prober/engine/ports/ports.ts';
import type { Gate } from '../../../prober/engine/targets/targets.ts';
import type { Names } from './names.ts';
import type { SourceAddress } from './source-address.ts';

/** All that an audit asks of its surroundings. */
export type AuditWorld = {
  readonly names: Names;
  readonly dial: Dial;
  readonly clock: Clock;
  readonly sourceAddress: SourceAddress;
  readonly gate: Gate;
};
