import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../schema/testing/fake-clock.ts';
import { ACCEPTED, POLICY } from '../../schema/testing/evidence.ts';
import type { Connection, Ports } from '../engine/ports/ports.ts';
import type { HostStatus } from '../link/link.ts';
import { createMetrics } from './metrics.ts';
import { measuredPorts } from './measured-ports.ts';
import { serveMetrics } from './serve-metrics.ts';

const STATUS: HostStatus = {
  draining: false,
  healthy: false,
  checked: true,
  failing: ['host'],
  jobs: 3,
  cooling: 2,
  refusing: 1,
};
const make = () => createMetrics({ version: '1.2.3', egress: ['192.0.2.1', '192.0.2.2'], status: () => STATUS });
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
        'rcpt_providers_cooling 2',
        'rcpt_providers_refusing 1',
        'rcpt_canary_ok{check="name"} 1',
        'rcpt_canary_ok{check="host"} 0',
      ]),
    );
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('count outcomes and refusals by a listed provider or other, and never by a name', async () => {
    const { host, text } = make();
    host.evidence({ ...ACCEPTED, mx: ['gmail-smtp-in.l.google.com'] });
    host.evidence({ ...POLICY, mx: ['mx.secret-customer.example'] });
    host.evidence({ ...POLICY, mx: [] });
    const page = await text();
    expect(samples(page, 'outcomes_total')).toEqual([
      'rcpt_outcomes_total{provider="google",outcome="accepted"} 1',
      'rcpt_outcomes_total{provider="other",outcome="policy_rejected"} 2',
    ]);
    expect(samples(page, 'refusals_total')).toEqual(['rcpt_refusals_total{provider="other",stage="rcpt"} 2']);
    expect(page).not.toContain('secret-customer');
  });

  it('have as many series however many strangers there are', async () => {
    const { host, text } = make();
    for (let n = 0; n < 1_000; n += 1) host.evidence({ ...POLICY, mx: [`mx.stranger-${n}.example`] });
    expect(samples(await text(), 'outcomes_total')).toHaveLength(1);
  });

  it('say of links whether they stand, why they ended, and how long a ping takes', async () => {
    const { host, text } = make();
    host.linked(0);
    host.linked(1);
    host.unlinked(1, 1006);
    host.roundTrip(40);
    host.clockAhead(-7);
    const page = await text();
    expect(samples(page, 'link_up')).toEqual(['rcpt_link_up{shard="0"} 1', 'rcpt_link_up{shard="1"} 0']);
    expect(samples(page, 'link_ends_total')).toEqual(['rcpt_link_ends_total{code="1006"} 1']);
    expect(page).toContain('rcpt_link_rtt_seconds_sum 0.04');
    expect(page).toContain('rcpt_clock_skew_seconds -7');
  });

  it('tell a listed address from a list that does not answer', async () => {
    const { listed, text } = make();
    listed(1, 'zen.spamhaus.org', true);
    listed(0, 'zen.spamhaus.org', null);
    const page = await text();
    expect(samples(page, 'dnsbl_listed')).toEqual(['rcpt_dnsbl_listed{egress="1",list="zen.spamhaus.org"} 1']);
    expect(samples(page, 'dnsbl_blind')).toEqual(['rcpt_dnsbl_blind{list="zen.spamhaus.org"} 1']);
  });
});

describe('ports that are measured', () => {
  const connection: Connection = {
    read: () => Promise.resolve({ kind: 'closed' }),
    write: () => undefined,
    startTls: () => Promise.resolve('secure'),
    end: () => undefined,
    destroy: () => undefined,
  };
  const signal = new AbortController().signal;

  it('count look-ups and connections, by what came of them and by the address that asked', async () => {
    const clock = new FakeClock();
    const ports: Ports = {
      clock,
      random: () => 0.5,
      dial: async (target) => {
        await clock.advance(250);
        return target.port === 25 ? { kind: 'connected', connection } : { kind: 'failed' };
      },
      resolveFor: () => ({
        mx: () => Promise.resolve({ kind: 'failed' }),
        addresses: () => Promise.resolve({ addresses: [], certain: false }),
      }),
    };
    const metrics = make();
    const measured = measuredPorts(ports, metrics.ports);
    const dialled = await measured.dial({ ip: '203.0.113.5', port: 25, from: '192.0.2.2' }, signal);
    await measured.dial({ ip: '203.0.113.5', port: 26, from: null }, signal);
    await measured.resolveFor(1).mx('secret.example', signal);
    await measured.resolveFor(1).addresses('secret.example', signal);
    const page = await metrics.text();
    expect(samples(page, 'dials_total')).toEqual([
      'rcpt_dials_total{egress="1",result="connected"} 1',
      'rcpt_dials_total{egress="0",result="failed"} 1',
    ]);
    expect(samples(page, 'dns_total')).toEqual([
      'rcpt_dns_total{type="mx",result="failed"} 1',
      'rcpt_dns_total{type="address",result="failed"} 1',
    ]);
    expect(page).toContain('rcpt_dial_seconds_sum 0.5');
    expect(page).not.toMatch(/secret|203\.0\.113|192\.0\.2/);
    expect(samples(page, 'connections_open')).toEqual(['rcpt_connections_open 1']);
    if (dialled.kind === 'connected') {
      dialled.connection.end();
      dialled.connection.destroy();
    }
    expect(samples(await metrics.text(), 'connections_open')).toEqual(['rcpt_connections_open 0']);
  });
});

describe('the page of metrics', () => {
  it('is served at /metrics on loopback, and nothing else is', async () => {
    const served = await serveMetrics(0, make());
    if ('failed' in served) throw new Error(served.failed);
    const at = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${served.port}${path}`, { method });
    const page = await at('/metrics');
    expect(page.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(await page.text()).toContain('rcpt_healthy 0');
    expect([(await at('/')).status, (await at('/metrics', 'POST')).status]).toEqual([404, 404]);
    expect(await serveMetrics(served.port, make())).toEqual({ failed: 'EADDRINUSE' });
  });
});
