import type { Stage } from '../../engine/ports/stage.ts';
import { errnoLabel } from './labels.ts';
import type { PortsObserver } from './measured-ports.ts';
import type { Meters } from './meters.ts';

/** How long each step of a session takes. The engine tells of replies, its ports of dialling. */
export type StageSeconds = { observe(labels: { readonly stage: Stage | 'dial' }, seconds: number): void };

/**
 * What the engine asks of the network.
 * @param egress the addresses that are dialled from, in the order of EGRESS; null: the system chooses
 */
export function portMetrics(meters: Meters, stages: StageSeconds, egress: readonly (string | null)[]): PortsObserver {
  const dns = meters.counter('dns_total', 'Look-ups by result.', 'type', 'result');
  for (const type of ['mx', 'address']) dns.inc({ type, result: 'failed' }, 0);
  const dnsSeconds = meters.histogram('dns_seconds', 'How long a look-up took.', 'type');
  const dials = meters.counter('dials_total', 'Connections to mail servers by result.', 'egress', 'result');
  const errors = meters.counter('dial_errors_total', "Errors of the system's that dialling met.", 'egress', 'errno');
  const placeOf = (from: string | null): string => String(Math.max(0, egress.indexOf(from)));
  return {
    lookedUp(type, result, ms) {
      dns.inc({ type, result });
      dnsSeconds.observe({ type }, ms / 1000);
    },
    dialled(from, result, ms) {
      dials.inc({ egress: placeOf(from), result });
      stages.observe({ stage: 'dial' }, ms / 1000);
    },
    dialError: (from, errno) => errors.inc({ egress: placeOf(from), errno: errnoLabel(errno) }),
  };
}
