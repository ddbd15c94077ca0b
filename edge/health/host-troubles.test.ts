import { expect, it } from 'vitest';
import { DIFFERS } from '../../schema/words/fleet-troubles.ts';
import { connectedHosts } from '../fleet/object/connected-hosts.ts';
import type { Member } from '../fleet/trust/host.ts';
import type { FleetView } from '../base/fleet-protocol.ts';
import { makeMember } from '../testing/member.ts';
import { hostTroubles } from './host-troubles.ts';

const FRA_1 = { host: 'fra-1', instance: 'one', egress: ['192.0.2.1', '192.0.2.2'] };
const NOW = 1_700_000_000_000;
const view = (changes: Partial<Member>, why: string | null = null, startsAtMs: readonly number[] = []): FleetView => ({
  hosts: connectedHosts([makeMember(FRA_1, changes)], () => why),
  remembered: [{ id: 'fra-1', seenAtMs: null, refusal: null, startsAtMs }],
  outcomes: [],
});
const listed = { egress: 1, what: 'listed', list: 'psbl-surriel-com' } as const;

it.each<[string, FleetView, readonly string[]]>([
  ['nothing', view({}), []],
  ['a failing self-check', view({}, 'its self-check fails: name'), ['host_unhealthy its self-check fails: name']],
  [
    'a host under suspicion',
    { ...view({}), hosts: view({}).hosts.map((one) => ({ ...one, why: DIFFERS })) },
    [`host_suspect ${DIFFERS}`],
  ],
  [
    'a provider that blocks an address, and a list that has another',
    view({ refusals: [{ provider: 'yahoo', egress: 0 }], egressTroubles: [listed] }),
    ['egress_trouble refused by yahoo', 'egress_trouble is on the block list psbl-surriel-com'],
  ],
  [
    'a reverse name that is lost',
    view({ egressTroubles: [{ egress: 0, what: 'reverse_name', list: null }] }),
    ['egress_trouble has no reverse name that is its EHLO name'],
  ],
  [
    'a mailbox that proves nothing',
    view({ egressTroubles: [{ egress: 0, what: 'mailbox_unclear', list: null }] }),
    ['egress_trouble has a mailbox that must exist (CANARY_MAILBOX) of which no answer proves anything'],
  ],
  [
    'a crash loop',
    view(
      {},
      null,
      [1, 2, 3, 4, 5].map((s) => NOW - s * 1_000),
    ),
    ['host_crashes it started five times in ten minutes'],
  ],
  [
    'a crash loop that is over',
    view(
      {},
      null,
      [1, 2, 3, 4, 5].map((s) => NOW - 600_000 - s),
    ),
    [],
  ],
])('two Fleet objects that see %s: one trouble each', (_, one, expected) => {
  const troubles = hostTroubles([one, one], NOW);
  expect(troubles.map(({ event, fields }) => `${event} ${String(fields['why'])}`)).toEqual(expected);
  expect(troubles.every(({ fields }) => fields['host'] === 'fra-1')).toBe(true);
});
