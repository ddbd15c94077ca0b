import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { PROVIDER_LIMITS } from '../../engine/providers/provider-limits.ts';
import { providerNameOf } from '../../../schema/providers.ts';
import { ProviderRefusals } from './provider-refusals.ts';

const GOOGLE = ['gmail-smtp-in.l.google.com'];
const [ONE, TWO] = ['192.0.2.1', '192.0.2.2'];
const HOUR_MS = 3_600_000;
const REPLY = { code: 550, enhanced: '5.7.1' };
const REFUSED: Outcome = { kind: 'policy_rejected', reply: REPLY };
const JUDGED: Outcome = { kind: 'no_such_mailbox', reply: REPLY };

function play() {
  const clock = { now: 0 };
  const log: string[] = [];
  let told = 0;
  const refusals = new ProviderRefusals(
    [ONE, TWO],
    () => clock.now,
    (event, fields) => log.push(`${event} ${fields?.['provider']} ${fields?.['refused']} of ${fields?.['of']}`),
    () => (told += 1),
  );
  const record = (outcome: Outcome, times: number, mx = GOOGLE, from = ONE): void => {
    for (let n = 0; n < times; n += 1) refusals.record({ mx, outcome }, from);
  };
  return { clock, log, refusals, record, told: () => told };
}

it('no provider is reported by a domain, which someone may have asked about', () => {
  const names = PROVIDER_LIMITS.map(({ suffixes }) => providerNameOf(suffixes[0] ?? ''));
  expect(names).toContain('web-de');
  expect(names.filter((name) => name === null || name.includes('.'))).toEqual([]);
});

describe('a provider that refuses this host', () => {
  it('is reported once in ten minutes, after refusals from more than a fifth of 50 domains', () => {
    const { clock, log, record, refusals, told } = play();
    record(JUDGED, 39);
    record(REFUSED, 10);
    expect([log, refusals.list()]).toEqual([[], []]);
    record(REFUSED, 1);
    expect(log).toEqual(['provider_refuses google 11 of 50']);
    record(REFUSED, 50);
    expect([log.length, refusals.list().length, told()]).toEqual([1, 1, 1]);
    record(JUDGED, 500);
    expect(refusals.list()).toEqual([]);
    clock.now = 600_000;
    record(REFUSED, 75);
    expect(log).toHaveLength(2);
  });

  it('is reported at once, with its length, during a cool-down for blocking us', () => {
    const { clock, log, record, refusals, told } = play();
    record(REFUSED, 3);
    refusals.blocked({ provider: 'google', egress: 0 }, HOUR_MS);
    refusals.blocked({ provider: null, egress: 0 }, HOUR_MS);
    expect(log).toEqual(['provider_refuses google 3 of 3']);
    expect(refusals.list()).toEqual([{ provider: 'google', egress: 0, refused: 3, of: 3 }]);
    expect(told()).toBe(1);
    clock.now = HOUR_MS;
    expect(refusals.list()).toEqual([]);
  });

  it('counts half after ten minutes, and not at all after an hour', () => {
    const { clock, log, record } = play();
    record(REFUSED, 49);
    clock.now = 600_000;
    record(REFUSED, 25);
    expect(log).toEqual([]);
    record(REFUSED, 1);
    expect(log).toEqual(['provider_refuses google 50 of 50']);
    clock.now += HOUR_MS;
    record(REFUSED, 49);
    expect(log).toHaveLength(1);
  });

  it.each<[string, Outcome]>([
    ['refuses to greet', { kind: 'no_banner', refused: true }],
    ['refuses EHLO', { kind: 'ehlo_rejected' }],
    ['refuses the sender', { kind: 'mail_from_rejected' }],
  ])('includes one that %s', (_what, outcome) => {
    const { record, refusals } = play();
    record(outcome, 50);
    expect(refusals.list()).toHaveLength(1);
  });

  it.each<[string, Outcome, readonly string[]]>([
    ['strangers refuse', REFUSED, ['mx.stranger.test', 'gmail-smtp-in.l.google.com']],
    ['somebody names after it', REFUSED, ['google.com.attacker.test']],
    ['no server was reached', { kind: 'connection_error', greeted: false }, GOOGLE],
    ['nothing was asked', { kind: 'unprobed', why: 'cooldown', waitS: 60 }, GOOGLE],
  ])('is not reported if %s', (_what, outcome, mx) => {
    const { record, refusals } = play();
    record(outcome, 500, [...mx]);
    expect(refusals.list()).toEqual([]);
  });
});

describe('an address that a provider refuses', () => {
  it('is counted separately from the others', () => {
    const { record, refusals } = play();
    record(REFUSED, 49, GOOGLE, ONE);
    record(REFUSED, 49, GOOGLE, TWO);
    expect(refusals.list()).toEqual([]);
    record(REFUSED, 1, GOOGLE, TWO);
    record(REFUSED, 1, GOOGLE, ONE);
    expect(refusals.list().map(({ egress }) => egress)).toEqual([0, 1]);
  });
});
