import { CRASHES, egressWords, isLoop } from '../../schema/words/fleet-troubles.ts';
import type { ConnectedHost, FleetView } from '../base/fleet-protocol.ts';
import type { LogFields } from '../base/log-fields.ts';
import type { PageEvent } from '../base/paging.ts';

type HostTrouble = { readonly event: PageEvent; readonly fields: LogFields };
type Seen = Pick<ConnectedHost, 'id' | 'healthy' | 'why' | 'processes'>;
type View = Pick<FleetView, 'remembered'> & { readonly hosts: readonly Seen[] };

/**
 * What is wrong with connected hosts: logged each minute while it lasts, so that an alarm knows when it is over. What
 * several Fleet objects see is one trouble. Pure.
 */
export function hostTroubles(views: readonly View[], nowMs: number): readonly HostTrouble[] {
  const all = views.flatMap(({ hosts, remembered }) => [
    ...hosts.flatMap(troublesOf),
    ...remembered
      .filter(({ startsAtMs }) => isLoop(startsAtMs, nowMs))
      .map(({ id: host }): HostTrouble => ({ event: 'host_crashes', fields: { host, why: CRASHES } })),
  ]);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

function troublesOf({ id: host, healthy, why, processes: [newest] }: Seen): readonly HostTrouble[] {
  const held = [
    ...(newest?.refusals ?? []).map(({ provider, egress }) => ({ egress, why: `refused by ${provider}` })),
    ...(newest?.egressTroubles ?? []).map((trouble) => ({ egress: trouble.egress, why: egressWords(trouble) })),
  ];
  return [
    ...(healthy ? [] : [{ event: 'host_unhealthy', fields: { host, why } } as const]),
    ...(healthy && why !== null ? [{ event: 'host_suspect', fields: { host, why } } as const] : []),
    ...held.map((fields): HostTrouble => ({ event: 'egress_trouble', fields: { host, ...fields } })),
  ];
}
