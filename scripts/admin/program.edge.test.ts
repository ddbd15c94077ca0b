import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { accountSchema, grantSchema, newKeySchema, operatorKeysSchema, statementSchema } from '../../schema/admin.ts';
import { enrolmentSchema } from '../../schema/enrolment.ts';
import { publicHalf } from '../../schema/jwk.ts';
import { type AdminEdge, startAdminEdge } from '../../edge/testing/admin.ts';
import { type Ended, runNode } from '../testing/run-node.ts';
import { runAdmin } from './program.ts';

// The command line as operators run it, against the Worker.

let edge: AdminEdge;
let folder: string;
let keyFile: string;
const before = process.cwd();
beforeAll(async () => {
  edge = await startAdminEdge();
  folder = await mkdtemp(join(tmpdir(), 'rcpt-admin-'));
  keyFile = join(folder, 'operator.json');
  await writeFile(keyFile, JSON.stringify(edge.operator), { mode: 0o600 });
  process.chdir(folder);
});
afterAll(async () => {
  process.chdir(before);
  await edge.stop();
  await rm(folder, { recursive: true });
});

const variables = () => ({ RCPT_URL: edge.origin, RCPT_OPERATOR_KEY: keyFile });

async function admin(...args: readonly string[]): Promise<Ended> {
  let out = '';
  let err = '';
  const code = await runAdmin(args, variables(), { out: (text) => (out += text), err: (text) => (err += text) });
  return { code, out, err };
}

const asProcess = (...args: readonly string[]): Promise<Ended> =>
  runNode('scripts/admin.ts', args, { cwd: folder, env: variables() });

/** The hosts in a list, in its order. */
const names = (out: string): readonly string[] => [...out.matchAll(/^fra-\d+/gm)].map(([name]) => name);

/** A command with `--json`: its one document. */
async function json<T>(schema: z.ZodType<T>, ...args: readonly string[]): Promise<T> {
  const ended = await admin(...args, '--json');
  expect(ended).toMatchObject({ code: 0, err: '' });
  expect(ended.out.trim().split('\n')).toHaveLength(1);
  return schema.parse(JSON.parse(ended.out));
}

describe('a customer', () => {
  test('gets an account, credits, a key and a statement', async () => {
    const account = await json(accountSchema, 'account', 'create', 'Acme GmbH');
    const grant = await json(grantSchema, 'credits', 'grant', account.id, '1000', '--id', 'inv-1');
    expect(grant).toMatchObject({ kind: 'purchase', balance: 1000, booked: true });
    const again = await json(grantSchema, 'credits', 'grant', account.id, '1000', '--id', 'inv-1');
    expect(again).toMatchObject({ balance: 1000, booked: false });
    expect(await json(grantSchema, 'credits', 'correct', account.id, '-10')).toMatchObject({ balance: 990 });

    const key = await json(newKeySchema, 'key', 'create', account.id, '--label', 'live');
    const credits = await fetch(`${edge.origin}/api/v1/credits`, { headers: { authorization: `Bearer ${key.key}` } });
    expect(await credits.json()).toEqual({ credits: 990 });

    const withLedger = accountSchema.extend({ ledger: statementSchema });
    const shown = await json(withLedger, 'account', 'show', account.id, '--ledger', '--rows', '1');
    expect(shown).toMatchObject({ credits: 990, keys: [{ id: key.id, label: 'live', hint: key.key.slice(-4) }] });
    expect(shown.ledger.rows).toMatchObject([{ kind: 'correction', delta: -10, balance: 990 }]);

    const read = await admin('account', 'show', account.id, '--ledger');
    expect(read.out).toMatch(/credits\s+990\n/);
    expect(read.out).toMatch(/purchase\s+\+1,000\s+1,000\s+inv-1\n/);
    expect(read.out).not.toContain(key.key);

    await admin('account', 'create', 'Zeta', '--id', 'zzz');
    const first = await admin('account', 'list', '--rows', '1');
    expect(first.out).toMatch(/^account +name .*\nacc_\w+ +Acme GmbH +990 .* 1 .*\nmore: --after acc_\w+\n$/);
    expect((await admin('account', 'list', '--after', account.id)).out).toMatch(/^account.*\nzzz +Zeta +0 +- +0 /);

    expect((await admin('account', 'list', '--search', 'acme')).out).toMatch(/^account.*\nacc_\w+ +Acme GmbH .*\n$/);
    await edge.rows(
      "INSERT INTO orders (id, account_id, credits, amount, currency, state, created_at, paid_at, payment_id, asked_at, refunded) VALUES ('ord_1', 'zzz', 5000, 2500, 'eur', 'paid', 0, 0, 'pi_1', 0, 500)",
    );
    const orders = await admin('order', 'list', '--account', 'zzz', '--state', 'refunded');
    expect(orders.out).toMatch(
      /\n1970-01-01 00:00 UTC +ord_1 +zzz +5,000 +EUR 25.00 +paid, refunded EUR 5.00 +pi_1\n$/,
    );

    expect((await admin('key', 'list', account.id)).out).toContain(key.id);
    expect(await admin('key', 'delete', key.id)).toMatchObject({ code: 0, out: `${key.id} is deleted\n` });
    expect(await admin('key', 'list', account.id)).toMatchObject({ code: 0, out: 'no keys\n' });
  });

  test('sees the key once', async () => {
    const { id } = await json(accountSchema, 'account', 'create', 'Once', '--id', 'once');
    expect((await admin('key', 'create', id)).out).toMatch(/^key\s+svc_live_\w{38}\n[^]*cannot be shown again\.\n$/);
  });
});

describe('a host', () => {
  test('is added with an enrolment file of its own, and drained, resumed, listed and removed', async () => {
    const added = await admin('host', 'add', 'fra-1');
    expect(added).toMatchObject({ code: 0, err: '' });
    const file = join(folder, '.local/hosts/fra-1.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const enrolment = enrolmentSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    expect(enrolment).toMatchObject({ v: 1, host: 'fra-1', origin: edge.origin, shards: 1, edgeKeys: edge.edgeKeys });
    const [row] = await edge.rows<{ public_key: string }>("SELECT public_key FROM hosts WHERE id = 'fra-1'");
    expect(JSON.parse(row?.public_key ?? '')).toEqual(publicHalf(enrolment.privateKey));
    expect(added.out).not.toContain(enrolment.privateKey.d);

    expect((await admin('host', 'list')).out).toMatch(/^host .*\nfra-1 +active +no +- +0 /);
    expect(await admin('host', 'drain', 'fra-1')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^fra-1 is draining\nNo host takes new batches any more/),
    });
    expect(await admin('host', 'resume', 'fra-1')).toMatchObject({ code: 0, out: 'fra-1 is active\n' });
    expect(await edge.told(0)).toEqual(['fra-1 active', 'fra-1 draining', 'fra-1 active']);
    await edge.script({ hosts: [{ id: 'fra-1', instances: 1, draining: false, healthy: true, jobs: 0 }] });
    await admin('host', 'add', 'fra-10');
    await edge.script({ hosts: [{ id: 'fra-10', instances: 1, draining: false, healthy: true, jobs: 0 }] });
    expect(await admin('host', 'remove', 'fra-1')).toMatchObject({ code: 0, out: 'fra-1 is removed\n' });
    expect(await edge.told(0)).toEqual(['fra-10 active', 'fra-1 removed']);
    await edge.script({});
    await admin('host', 'add', 'fra-9');
    expect(names((await admin('host', 'list')).out)).toEqual(['fra-9', 'fra-10']);
    expect(names((await admin('host', 'list', '--all')).out)).toEqual(['fra-1', 'fra-9', 'fra-10']);
  });

  test('is not added over a file that is there, and leaves no file if the edge refuses', async () => {
    const out = join(folder, 'taken.json');
    await writeFile(out, 'mine');
    const taken = await admin('host', 'add', 'fra-2', '--out', out);
    expect(taken).toMatchObject({ code: 2, out: '', err: expect.stringContaining('never overwritten') });
    expect(await readFile(out, 'utf8')).toBe('mine');
    expect(await edge.rows("SELECT id FROM hosts WHERE id = 'fra-2'")).toEqual([]);

    await admin('host', 'add', 'fra-3', '--out', join(folder, 'fra-3.json'));
    const again = await admin('host', 'add', 'fra-3', '--out', join(folder, 'again.json'));
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('enrolled with another key') });
    await expect(stat(join(folder, 'again.json'))).rejects.toThrow('ENOENT');
  });
});

test('status shows the hosts, and ends with 1 if nobody takes batches', async () => {
  await edge.script({ hosts: [{ id: 'fra-10', instances: 1, draining: false, healthy: true, jobs: 2 }] });
  const well = await admin('status');
  expect(well).toMatchObject({ code: 0, err: '' });
  expect(well.out).toMatch(/UTC {3}serves, with trouble {3}1 of 3 hosts are ready\n/);
  expect(well.out).toContain('! never connected: fra-3 and fra-9: prober/runbooks/host-away.md\n');
  expect(well.out).toMatch(/^fra-10 +active +yes \(1\) +yes +2 /m);
  await edge.script({ remembered: [{ id: 'fra-10', seenAtMs: 7_000, refusal: null }] });
  const ended = await admin('status');
  expect(ended).toMatchObject({ code: 1, err: 'The deployment does not serve: no host is connected.\n' });
  expect(ended.out).toContain('not connected: fra-10: prober/runbooks/host-away.md');
});

test('operator-key makes a key that works once its public half is known', async () => {
  const out = join(folder, 'bob.json');
  const publicKeys = await json(operatorKeysSchema, 'operator-key', 'bob', '--out', out);
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const other = await startAdminEdge({ OPERATOR_KEYS: JSON.stringify(publicKeys) });
  try {
    const listed = await admin('host', 'list', '--url', other.origin, '--operator-key', out);
    expect(listed).toEqual({ code: 0, out: 'no hosts\n', err: '' });
  } finally {
    await other.stop();
  }
});

test('is a process: its output, its exit codes, and one line on what is wrong', async () => {
  const [created, bad, unknown] = await Promise.all([
    asProcess('account', 'create', 'Process', '--id', 'process', '--json'),
    asProcess('account', 'show', 'bob@example.com'),
    asProcess('account', 'show', 'nobody'),
  ]);
  expect(created).toMatchObject({ code: 0, err: '' });
  expect(accountSchema.parse(JSON.parse(created.out))).toMatchObject({ id: 'process' });
  expect(bad).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^ACCOUNT: [^\n]+\n$/) });
  expect(unknown).toEqual({ code: 1, out: '', err: 'No account nobody.\n' });
});

describe('a call that comes to nothing ends with 1 and one line', () => {
  test('no answer: a grant says under which id to repeat it', async () => {
    const ended = await admin('credits', 'grant', 'acme', '5', '--url', 'http://127.0.0.1:9');
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toMatch(
      /^No answer from http:\/\/127\.0\.0\.1:9: .* Then repeat the call with --id grant_[0-9a-f]{20}\.\n$/,
    );
  });

  test('a redirect by another server is not followed', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/admin/v1/hosts') response.end('<html>');
      else response.writeHead(302, { location: edge.origin }).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      const address = server.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
      expect(await admin('host', 'list', '--url', url)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/is it this version of rcpt/),
      });
      expect(await admin('account', 'show', 'a', '--url', url)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^No answer/),
      });
    } finally {
      server.close();
    }
  });
});
