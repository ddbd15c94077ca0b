import { describe, expect, it, test } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import { ACCEPTED, POLICY } from '../../../schema/testing/evidence.ts';
import { IDLE_STATUS } from '../../testing/idle-status.ts';
import { createMetrics } from './metrics.ts';
import { type Page, serveMetrics } from './serve-metrics.ts';

const STATUS = {
  ...IDLE_STATUS,
  healthy: false,
  failing: ['host' as const],
  jobs: 3,
  links: [true, false],
  clockAheadS: -7,
  unclear: [1],
};
const make = (clock = new FakeClock()) => createMetrics(() => STATUS, clock);
/** The samples with this name prefix, without comments. */
const samples = (text: string, start: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(`rcpt_${start}`));

describe('metrics', () => {
  it("show the host's state at the moment of the request", async () => {
    const text = await make().text();
    expect(samples(text, '')).toEqual(
      expect.arrayContaining([
        'rcpt_healthy 0',
        'rcpt_jobs_running 3',
        'rcpt_canary_ok{check="name"} 1',
        'rcpt_canary_ok{check="host"} 0',
        'rcpt_canary_mailbox_unclear{egress="1"} 1',
        'rcpt_link_up{shard="0"} 1',
        'rcpt_link_up{shard="1"} 0',
        'rcpt_clock_skew_seconds -7',
      ]),
    );
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('count bugs from zero, since a series that starts with its first would show no increase', async () => {
    const { bug, text } = make();
    expect(samples(await text(), 'bugs')).toEqual(['rcpt_bugs_total 0']);
    bug();
    expect(samples(await text(), 'bugs')).toEqual(['rcpt_bugs_total 1']);
  });

  it('count outcomes by a listed provider or "other", and never by a name', async () => {
    const { host, text } = make();
    host.evidence({ ...ACCEPTED, mx: ['gmail-smtp-in.l.google.com'] });
    host.evidence({ ...POLICY, mx: ['mx.secret-customer.example'] });
    host.evidence({ ...POLICY, mx: [] });
    const page = await text();
    expect(samples(page, 'outcomes_total')).toEqual([
      'rcpt_outcomes_total{provider="google",outcome="accepted"} 1',
      'rcpt_outcomes_total{provider="other",outcome="policy_rejected"} 2',
    ]);
    expect(page).not.toContain('secret-customer');
  });

  it('show how sessions ended, by provider and address', async () => {
    const { engine, text } = make();
    engine.sessionEnded({ provider: 'web.de', egress: 1 }, 'refused');
    engine.sessionEnded({ provider: null, egress: 1 }, 'greeting_timeout');
    expect(samples(await text(), 'sessions_')).toEqual([
      'rcpt_sessions_total{provider="web-de",egress="1",end="refused"} 1',
      'rcpt_sessions_total{provider="other",egress="1",end="greeting_timeout"} 1',
    ]);
  });

  it('count waits for the limits, and show the cool-down of a provider until it ends', async () => {
    const clock = new FakeClock();
    const { engine, text } = make(clock);
    const seat = { provider: 'google', egress: 0 };
    engine.waitedForLimits(null, 1_500);
    engine.providerRests(seat, 'asked_too_much', 30_000);
    const page = await text();
    expect(page).toContain('rcpt_pace_wait_seconds_sum{provider="other"} 1.5');
    const suspended = async () => samples(await text(), 'egress_suspended');
    const labels = 'provider="google",egress="0",reason="asked_too_much"';
    expect(await suspended()).toEqual([`rcpt_egress_suspended{${labels}} 1`]);
    await clock.advance(30_000);
    expect(await suspended()).toEqual([`rcpt_egress_suspended{${labels}} 0`]);
  });

  it('distinguish a listed address, a list without an answer, and a wrong reverse name', async () => {
    const { ownAddress, text } = make();
    const lists = [
      { zone: 'zen.spamhaus.org', state: 'mend' } as const,
      { zone: 'bl.spamcop.net', state: 'unknown' } as const,
    ];
    ownAddress({ egress: 0, lists, reverse: false });
    const page = await text();
    expect(samples(page, 'dnsbl_listed')).toContain('rcpt_dnsbl_listed{egress="0",list="zen.spamhaus.org"} 1');
    expect(samples(page, 'dnsbl_listed')).toHaveLength(1);
    expect(samples(page, 'dnsbl_blind')).toContain('rcpt_dnsbl_blind{egress="0",list="bl.spamcop.net"} 1');
    expect(samples(page, 'rdns_ok')).toEqual(['rcpt_rdns_ok{egress="0"} 0']);
  });
});

test('look-ups are counted by result', async () => {
  const { engine, text } = make();
  engine.lookedUp('mx', { kind: 'failed' });
  engine.lookedUp('address', { addresses: [], certain: false });
  engine.lookedUp('address', { addresses: [{ ip: '192.0.2.1', declared: false }], certain: true });
  expect(samples(await text(), 'dns_total')).toEqual([
    'rcpt_dns_total{type="mx",result="failed"} 1',
    'rcpt_dns_total{type="address",result="failed"} 1',
    'rcpt_dns_total{type="address",result="found"} 1',
  ]);
});

const broken = (): Promise<string> => Promise.reject(new Error('jo@secret.example'));

async function served(page: Page): Promise<number> {
  const known = await serveMetrics(0, page);
  if ('failed' in known) throw new Error(known.failed);
  return known.port;
}

describe('the metrics endpoint', () => {
  it('serves the metrics alone, on loopback, for GET', async () => {
    const port = await served(make());
    const at = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
    const metrics = await at('/metrics');
    expect(metrics.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(await metrics.text()).toContain('rcpt_healthy 0');
    expect([(await at('/')).status, (await at('/metrics', 'POST')).status]).toEqual([404, 404]);
    expect(await serveMetrics(port, make())).toEqual({ failed: 'EADDRINUSE' });
  });

  it('reveals nothing about an error', async () => {
    const port = await served({ contentType: 'text/plain', text: broken });
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([answer.status, await answer.text()]).toEqual([500, '']);
  });
});
