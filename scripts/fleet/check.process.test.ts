import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkEdge } from '../../prober/ops/audit/edge.ts';
import { connect } from '../../prober/link/connect.ts';
import { identify } from '../../prober/link/identity.ts';
import { startNameServer } from '../../prober/testing/name-server.ts';
import { runNode } from '../testing/run-node.ts';
import { ScriptedEdge } from './testing/scripted-edge.ts';

// `rcpt-prober --check`: the edge as the host that is checked meets it.

let edge: ScriptedEdge;
beforeEach(async () => {
  edge = await ScriptedEdge.start();
});
afterEach(() => edge.stop());

const check = (aheadMs = 0) =>
  checkEdge(identify(edge.enrolment, 'instance-of-16-chars', 0), connect, () => Date.now() + aheadMs);

describe('the check of the edge', () => {
  it('finds that it lets the host in and that the clock is right, and leaves no link behind', async () => {
    expect(await check()).toMatchObject([
      { check: 'link', subject: 'probe-1', state: 'ok' },
      { check: 'clock', state: 'ok' },
    ]);
    await (await edge.link()).gone();
  });

  it('says what to do if the edge does not know the host, or the clock is wrong', async () => {
    edge.refuseWith = 401;
    expect(await check()).toMatchObject([
      { check: 'link', state: 'mend', detail: expect.stringMatching(/HTTP 401.*admin host list/) },
      { check: 'clock', state: 'ok' },
    ]);
    expect(await check(90_000)).toMatchObject([
      { check: 'link', state: 'mend', detail: expect.stringMatching(/HTTP 401.*timedatectl/) },
      { check: 'clock', state: 'mend', detail: expect.stringMatching(/(89|90|91) s ahead; run timedatectl/) },
    ]);
  });

  it('names what is in the way if nobody answers, and does not guess at the clock', async () => {
    const identity = identify({ ...edge.enrolment, origin: 'http://127.0.0.1:1' }, 'instance-of-16-chars', 0);
    expect(await checkEdge(identity, connect, Date.now)).toMatchObject([
      { check: 'link', state: 'mend', detail: expect.stringContaining('ECONNREFUSED') },
      { check: 'clock', state: 'unknown' },
    ]);
  });
});

describe('rcpt-prober --check', () => {
  it('prints a line for each check, and ends with 1 if something must be fixed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-check-'));
    const dns = await startNameServer(() => ({ rcode: 'SERVFAIL' }));
    try {
      const path = join(folder, 'enrolment.json');
      await writeFile(path, JSON.stringify(edge.enrolment), { mode: 0o600 });
      const env = { ENROLMENT: path, SANDBOX: '1', DNS: dns.address, EGRESS: 'default=probe.test' };
      const [told, json, unjoined] = await Promise.all([
        runNode('prober/main.ts', ['--check'], { env }),
        runNode('prober/main.ts', ['--check', '--json'], { env }),
        runNode('prober/main.ts', ['--check'], { env: { ...env, ENROLMENT: join(folder, 'none') } }),
      ]);
      expect([told.code, told.err]).toEqual([1, '']);
      expect(told.out).toMatch(/^ok {6}link {6}probe-1: connects to /m);
      expect(told.out).toMatch(/^unknown resolver {2}iana\.org: the resolver did not answer/m);
      expect(told.out).toMatch(/\d+ ok, \d+ to fix, \d+ unknown\n$/);
      expect(z.object({ ok: z.boolean() }).parse(JSON.parse(json.out))).toEqual({ ok: false });
      expect(unjoined.out).toMatch(/^mend {4}link .*run join/m);
      expect(unjoined.out).toMatch(/^unknown resolver /m);
    } finally {
      await dns.close();
      await rm(folder, { recursive: true });
    }
  });
});
