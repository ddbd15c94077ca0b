import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import { ACCEPTED, POLICY } from '../../../schema/testing/evidence.ts';
import { Cancel } from '../../engine/ports/cancel.ts';
import type { Ports, Resolve } from '../../engine/ports/ports.ts';
import type { HostStatus } from '../../link/host-status.ts';
import type { Names } from '../audit/names.ts';
import { createMetrics } from './metrics.ts';
import { measuredPorts } from './measured-ports.ts';
import { type Page, serveMetrics } from './serve-metrics.ts';

const STATUS: HostStatus = {
  draining: false,
  healthy: false,
  checked: true,
  failing: ['host'],
  jobs: 3,
  cooling: 2,
  refusing: 1,
};
const make = (clock = new FakeClock()) =>
  createMetrics({ version: '1.2.3', egress: ['192.0.2.1', '192.0.2.2'], status: () => STATUS, clock });
/** The samples whose names begin so, without comments. */
const samples = (text: string, start: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(`rcpt_${start}`));

describe('metrics', () => {
  it('tell how the host is at the moment they are asked for', async () => {
    const text = await make().text();
    expect(samples(text, '')).toEqual(
      expect.arrayContaining([
        'rcpt_build_info{version="1.2.3"} 1',
        'rcpt_healthy 0',
        'rcpt_jobs_running 3',
        'rcpt_addresses_resting 2',
        'rcpt_canary_ok{check="name"} 1',
        'rcpt_canary_ok{check="host"} 0',
      ]),
    );
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('count bugs from none on: a series that began with its first would show no increase', async () => {
    const { bug, text } = make();
    expect(samples(await text(), 'bugs')).toEqual(['rcpt_bugs_total 0']);
    bug();
    expect(samples(await text(), 'bugs')).toEqual(['rcpt_bugs_total 1']);
  });

  it('count outcomes by a listed provider or other, and never by a name', async () => {
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

  it('say how sessions go, at whom, and from which address', async () => {
    const { engine, text } = make();
    const seat = { provider: 'web.de', egress: 1 };
    engine.sessionOpened(seat);
    engine.sessionOpened({ ...seat, provider: null });
    engine.replied('ehlo', 250);
    engine.sessionEnded(seat, 'refused', true);
    engine.sessionEnded(seat, 'greeting_timeout', false);
    const page = await text();
    expect(samples(page, 'sessions_')).toEqual([
      'rcpt_sessions_open{provider="web-de",egress="1"} 0',
      'rcpt_sessions_open{provider="other",egress="1"} 1',
      'rcpt_sessions_total{provider="web-de",egress="1",end="refused"} 1',
      'rcpt_sessions_total{provider="web-de",egress="1",end="greeting_timeout"} 1',
    ]);
    expect(page).toContain('rcpt_stage_seconds_sum{stage="ehlo"} 0.25');
  });

  it('count waits for the limits, and show the cool-down of a provider until it ends', async () => {
    const clock = new FakeClock();
    const { engine, text } = make(clock);
    const seat = { provider: 'google', egress: 0 };
    engine.waitersChanged('google', 1);
    engine.waitedForLimits(null, 1_500);
    engine.coolDownBegan(seat, 'address', 'blocked', 60_000);
    engine.coolDownBegan(seat, 'provider', 'asked_too_much', 30_000);
    const page = await text();
    expect(page).toContain('rcpt_pace_waiters{provider="google"} 1');
    expect(page).toContain('rcpt_pace_wait_seconds_sum{provider="other"} 1.5');
    const suspended = async () => samples(await text(), 'egress_suspended');
    const labels = 'provider="google",egress="0",reason="asked_too_much"';
    expect(await suspended()).toEqual([`rcpt_egress_suspended{${labels}} 1`]);
    await clock.advance(30_000);
    expect(await suspended()).toEqual([`rcpt_egress_suspended{${labels}} 0`]);
  });

  it('have no more series, no matter which names or codes strangers bring', async () => {
    const { engine, host, ports, text } = make();
    const count = async () => (await text()).split('\n').filter((line) => line.startsWith('rcpt_')).length;
    const stranger = (n: number): void => {
      const name = `mx.stranger-${n}.example`;
      const seat = { provider: name, egress: 0 };
      host.evidence({ ...POLICY, mx: [name] });
      host.unlinked(0);
      engine.sessionOpened(seat);
      engine.sessionEnded(seat, 'served', true);
      engine.coolDownBegan(seat, 'provider', 'blocked', 1);
      engine.waitersChanged(name, 1);
      engine.waitedForLimits(name, n);
      ports.dialled(`203.0.113.${n}`, 'failed', 1);
      ports.dialError(null, `E${name}`);
    };
    stranger(1);
    const before = await count();
    for (let n = 2; n <= 1_000; n += 1) stranger(n);
    expect(await count()).toBe(before);
    expect(await text()).not.toMatch(/stranger|203\.0\.113/);
  });

  it('say of links whether they stand', async () => {
    const { host, text } = make();
    host.linked(0);
    host.linked(1);
    host.unlinked(1);
    host.clockAhead(-7);
    const page = await text();
    expect(samples(page, 'link_up')).toEqual(['rcpt_link_up{shard="0"} 1', 'rcpt_link_up{shard="1"} 0']);
    expect(page).toContain('rcpt_clock_skew_seconds -7');
  });

  it('say nothing any more of a link to a Fleet object that is gone, whether it stood, was down or never came about', async () => {
    const { host, text } = make();
    for (const shard of [0, 1, 2]) host.linked(shard);
    host.unlinked(2);
    for (const shard of [1, 2, 3]) host.ended(shard);
    expect(samples(await text(), 'link_up')).toEqual(['rcpt_link_up{shard="0"} 1']);
    host.linked(1);
    expect(samples(await text(), 'link_up')).toEqual(['rcpt_link_up{shard="0"} 1', 'rcpt_link_up{shard="1"} 1']);
  });

  it('tell a listed address from a list that does not answer, and one whose name leads elsewhere', async () => {
    const { ownAddresses, text } = make();
    const listed = '1.2.0.192.zen.spamhaus.org';
    const names: Names = {
      mx: async () => ({ kind: 'none' }),
      txt: async () => ({ kind: 'none' }),
      ptr: async () => ({ kind: 'found', records: ['probe.example'] }),
      addresses: async (name) => ({
        addresses: name === listed ? [{ ip: '127.0.0.2', declared: false }] : [],
        certain: !name.endsWith('spamcop.net'),
      }),
    };
    await ownAddresses.watch([{ ip: '192.0.2.1', heloName: 'probe.example' }], names, new FakeClock());
    const page = await text();
    expect(samples(page, 'dnsbl_listed')).toContain('rcpt_dnsbl_listed{egress="0",list="zen.spamhaus.org"} 1');
    expect(samples(page, 'dnsbl_listed')).toHaveLength(3);
    expect(samples(page, 'dnsbl_blind')).toContain('rcpt_dnsbl_blind{egress="0",list="bl.spamcop.net"} 1');
    expect(samples(page, 'rdns_ok')).toEqual(['rcpt_rdns_ok{egress="0"} 0']);
  });
});

describe('ports that are measured', () => {
  const signal = new AbortController().signal;

  it('count look-ups and connections, by what came of them and by the address that asked', async () => {
    const clock = new FakeClock();
    const ports: Ports = {
      clock,
      random: () => 0.5,
      dial: async (target, _signal, onError) => {
        await clock.advance(250);
        if (target.port === 25) return { kind: 'no_route' };
        onError?.('ECONNREFUSED');
        return { kind: 'failed' };
      },
      resolveFor: () => ({
        mx: () => Promise.resolve({ kind: 'failed' }),
        addresses: () => Promise.resolve({ addresses: [], certain: false }),
      }),
    };
    const metrics = make();
    const measured = measuredPorts(ports, metrics.ports);
    await measured.dial({ ip: '203.0.113.5', port: 25, from: '192.0.2.2' }, new Cancel());
    await measured.dial({ ip: '203.0.113.5', port: 26, from: null }, new Cancel());
    await measured.resolveFor(1).mx('secret.example', signal);
    await measured.resolveFor(1).addresses('secret.example', signal);
    const page = await metrics.text();
    expect(samples(page, 'dials_total')).toEqual([
      'rcpt_dials_total{egress="1",result="no_route"} 1',
      'rcpt_dials_total{egress="0",result="failed"} 1',
    ]);
    expect(samples(page, 'dns_total')).toEqual([
      'rcpt_dns_total{type="mx",result="failed"} 1',
      'rcpt_dns_total{type="address",result="failed"} 1',
    ]);
    expect(page).toContain('rcpt_stage_seconds_sum{stage="dial"} 0.5');
    expect(samples(page, 'dial_errors_total')).toEqual(['rcpt_dial_errors_total{egress="0",errno="ECONNREFUSED"} 1']);
    expect(page).not.toMatch(/secret|203\.0\.113|192\.0\.2/);
  });

  it('ask for what they were asked for: one family of addresses is not both', async () => {
    const asked: unknown[] = [];
    const resolve: Resolve = {
      mx: () => Promise.resolve({ kind: 'none' }),
      addresses: async (...question) => {
        asked.push(question);
        return { addresses: [], certain: true };
      },
    };
    const ports: Ports = {
      clock: new FakeClock(),
      random: () => 0,
      dial: async () => ({ kind: 'failed' }),
      resolveFor: () => resolve,
    };
    const measured = measuredPorts(ports, make().ports).resolveFor(1);
    await measured.addresses('mx.example', signal, 4);
    await measured.addresses('mx.example', signal);
    expect(asked).toEqual([
      ['mx.example', signal, 4],
      ['mx.example', signal, undefined],
    ]);
  });
});

const broken = (): Promise<string> => Promise.reject(new Error('jo@secret.example'));

async function served(page: Page): Promise<number> {
  const known = await serveMetrics(0, page);
  if ('failed' in known) throw new Error(known.failed);
  return known.port;
}

describe('what is served', () => {
  it('is the metrics alone, on loopback, to GET', async () => {
    const port = await served(make());
    const at = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
    const metrics = await at('/metrics');
    expect(metrics.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(await metrics.text()).toContain('rcpt_healthy 0');
    expect([(await at('/')).status, (await at('/metrics', 'POST')).status]).toEqual([404, 404]);
    expect(await serveMetrics(port, make())).toEqual({ failed: 'EADDRINUSE' });
  });

  it('is no word of an error', async () => {
    const port = await served({ contentType: 'text/plain', text: broken });
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([answer.status, await answer.text()]).toEqual([500, '']);
  });
});
