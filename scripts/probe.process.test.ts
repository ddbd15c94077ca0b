import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNameServer, type NameServer } from '../prober/testing/name-server.ts';
import { startPeer } from '../prober/testing/peer.ts';
import { verificationResultSchema } from '../schema/api.ts';

const PROBE = fileURLToPath(new URL('./probe.ts', import.meta.url));
/** Processes start slowly on a busy machine. */
const PATIENCE_MS = 20_000;

let dns: NameServer;
let mta: Awaited<ReturnType<typeof startPeer>>;

/** Knows one mailbox, `ok`. At `slow.test` nothing is said. */
function serveMail(socket: Socket): void {
  socket.write('220 mx.test ESMTP\r\n');
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString();
    for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      if (line.startsWith('EHLO')) socket.write('250-mx.test\r\n250 PIPELINING\r\n');
      else if (line.startsWith('QUIT')) socket.end('221 bye\r\n');
      else if (!line.startsWith('RCPT')) socket.write('250 ok\r\n');
      else if (line.includes('@slow.test')) continue;
      else socket.write(line.startsWith('RCPT TO:<ok@') ? '250 2.1.5 ok\r\n' : '550 5.1.1 no such user\r\n');
    }
  });
  socket.on('end', () => socket.end());
}

beforeAll(async () => {
  mta = await startPeer(serveMail);
  dns = await startNameServer(({ name, type }) => {
    if (name === 'mx.test') return type === 'A' ? { ip: [mta.ip] } : 'nodata';
    if (name === 'nowhere.test') return { rcode: 'NXDOMAIN' };
    return type === 'MX' ? { mx: [[10, 'mx.test']] } : 'nodata';
  });
});
afterAll(async () => {
  await mta.close();
  await dns.close();
});

type Run = { readonly code: number | null; readonly out: string; readonly err: string; readonly emails: string[] };

/** @param input of standard input; @param onOutput is told what standard output said so far */
function probe(
  args: readonly string[],
  input: string,
  onOutput: (out: string, child: ReturnType<typeof spawn>) => void = () => undefined,
): Promise<Run> {
  const child = spawn(process.execPath, [PROBE, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin?.on('error', () => undefined);
  child.stdin.end(input);
  let out = '';
  let err = '';
  child.stdout?.on('data', (bytes: Buffer) => {
    out += bytes.toString();
    onOutput(out, child);
  });
  child.stderr?.on('data', (bytes: Buffer) => (err += bytes.toString()));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const lines = out.split('\n').slice(0, -1);
      const emails = (out.startsWith('{"email"') ? lines : []).map(
        (line) => verificationResultSchema.parse(JSON.parse(line)).email,
      );
      resolve({ code, out, err, emails });
    });
  });
}

const local = () => ['--dns', dns.address, '--route', `127.0.0.0/8=${mta.port}`, '--egress', 'default=probe.test'];

describe('npm run probe', { timeout: PATIENCE_MS }, () => {
  it('verifies arguments against real DNS and a real server', async () => {
    const run = await probe([...local(), 'ok@plain.test', 'gone@plain.test', 'a@nowhere.test', 'nonsense'], '');
    expect([run.code, run.err]).toEqual([0, '']);
    const results = run.out
      .split('\n')
      .slice(0, -1)
      .map((line) => verificationResultSchema.parse(JSON.parse(line)));
    expect(
      new Map(results.map(({ email, status, reason, smtp_code }) => [email, [status, reason, smtp_code]])),
    ).toEqual(
      new Map([
        ['ok@plain.test', ['valid', null, 250]],
        ['gone@plain.test', ['invalid', null, 550]],
        ['a@nowhere.test', ['invalid', 'no_mx', null]],
        ['nonsense', ['invalid', 'invalid_syntax', null]],
      ]),
    );
  });

  it('ends with 1 where a full disk cuts its results off', async () => {
    const emails = Array.from({ length: 60 }, (_, n) => `nonsense-${n}`);
    const command = ['-c', 'ulimit -f 4; exec "$@" > "$RESULTS"', 'bash', process.execPath, PROBE, ...emails];
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-probe-'));
    const run = promisify(execFile)('bash', command, { env: { ...process.env, RESULTS: join(folder, 'results') } });
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be written (EFBIG') });
    await rm(folder, { recursive: true });
  });

  it('says in one line what is wrong with its arguments', async () => {
    const run = await probe(['--route', '8.8.8.8=25', 'a@x.test'], '');
    expect([run.code, run.out]).toEqual([2, '']);
    expect(run.err).toMatch(/^probe: [^\n]*a route must lie within[^\n]*\n$/);
  });

  it('--trace logs lookups and dialogue to standard error, results as usual', async () => {
    const run = await probe([...local(), '--trace', 'gone@plain.test'], '');
    expect([run.code, run.emails]).toEqual([0, ['gone@plain.test']]);
    const said = run.err.split('\n').map((line) => line.replace(/^ *\+\d+ ms {2}/, ''));
    expect(said).toEqual([
      'dns MX plain.test: 10 mx.test',
      'dns A mx.test: 127.0.0.1',
      `#1 * mx.test [127.0.0.1]: connecting to port ${mta.port}`,
      '#1 < 220 mx.test ESMTP',
      '#1 > EHLO probe.test',
      '#1 < 250-mx.test',
      '#1 < 250 PIPELINING',
      '#1 > MAIL FROM:<probe@probe.test>',
      '#1 > RCPT TO:<gone@plain.test>',
      '#1 < 250 ok',
      '#1 < 550 5.1.1 no such user',
      '#1 > QUIT',
      '',
    ]);
  });

  it('ends at an interrupt with what it knows', async () => {
    const run = await probe([...local(), 'ok@plain.test', 'a@slow.test', 'b@slow.test'], '', (out, child) => {
      if (!child.killed && out.includes('ok@plain.test')) child.kill('SIGINT');
    });
    expect(run.code).toBe(130);
    expect(run.emails).toContain('ok@plain.test');
    expect(run.err).toMatch(/^probe: interrupted: \d of the 3 addresses read have a result\n$/);
  });
});
