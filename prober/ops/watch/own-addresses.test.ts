import { expect, it } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import type { Names } from '../../node/resolve.ts';
import { type OwnAddress, OwnAddresses } from './own-addresses.ts';

const HOUR_MS = 3_600_000;
const EGRESS = [
  { ip: '8.8.4.4', heloName: 'probe.example' },
  { ip: '127.0.0.2', heloName: 'private.example' },
  { ip: null, heloName: 'undeclared.example' },
];
const LISTED = '4.4.8.8.zen.spamhaus.org';
const BLIND = '4.4.8.8.bl.spamcop.net';

function watch() {
  const world = { listed: false, answers: true, reverse: 'probe.example', asked: 0 };
  const looks: OwnAddress[] = [];
  const logged: string[] = [];
  let told = 0;
  const clock = new FakeClock();
  const names: Names = {
    mx: async () => ({ kind: 'none' }),
    ptr: async () => ({ kind: 'found', records: [world.reverse] }),
    addresses: async (name) => {
      world.asked += 1;
      if (name === 'probe.example') return { addresses: [{ ip: '8.8.4.4', declared: false }], certain: true };
      const isListed = name === LISTED && world.listed && world.answers;
      return {
        addresses: isListed ? [{ ip: '127.0.0.2', declared: false }] : [],
        certain: world.answers && name !== BLIND,
      };
    },
  };
  const own = new OwnAddresses({
    egress: EGRESS,
    names,
    clock,
    log: (event) => logged.push(event),
    onLook: (found) => looks.push(found),
    onChange: () => (told += 1),
  });
  return { own, world, clock, looks, logged, told: () => told };
}

it('nothing is held against an address in order, and what the world does not see is not asked about', async () => {
  const { own, looks, told } = watch();
  await own.start();
  expect([own.troubles, told()]).toEqual([[], 0]);
  expect(looks.map(({ egress, reverse }) => [egress, reverse])).toEqual([[0, true]]);
  expect(looks[0]?.lists.map(({ state }) => state)).toEqual(['ok', 'unknown', 'ok', 'ok']);
});

it('a listing and a lost reverse name are known within the hour, told once, kept while nobody answers, and forgotten', async () => {
  const { own, world, clock, logged, told } = watch();
  await own.start();
  const afterAnHour = async (change: Partial<typeof world>): Promise<readonly unknown[]> => {
    Object.assign(world, change);
    await clock.advance(HOUR_MS);
    return [own.troubles.map(({ what, list }) => list ?? what), told()];
  };
  expect(await afterAnHour({ listed: true })).toEqual([['zen-spamhaus-org'], 1]);
  expect(await afterAnHour({ reverse: 'other.example' })).toEqual([['zen-spamhaus-org', 'reverse_name'], 2]);
  expect(await afterAnHour({ answers: false })).toEqual([['zen-spamhaus-org', 'reverse_name'], 2]);
  expect(await afterAnHour({ answers: true, listed: false })).toEqual([['reverse_name'], 3]);
  expect(await afterAnHour({ reverse: 'probe.example' })).toEqual([[], 4]);
  expect(logged).toEqual(['egress_trouble', 'egress_trouble']);
});
