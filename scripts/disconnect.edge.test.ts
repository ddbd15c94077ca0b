import { readdir, readFile, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminApi, adminApi } from './admin/connection/api.ts';
import { readOperatorKey } from './admin/connection/operator-key.ts';
import { newStateFolder, type RunningService, startRunningService } from './testing/running-service.ts';

// Callers who reset their connection, on the whole service with its real host: what they pay, and what the host does.

let service: RunningService;
let admin: AdminApi;
beforeAll(async () => {
  service = await startRunningService(await newStateFolder(), ['--var', 'RATE_LIMIT=0']);
  const { url, operatorKey } = service.ready;
  admin = adminApi({ origin: new URL(url).origin, operator: await readOperatorKey(operatorKey) });
}, 60_000);
afterAll(() => service.stop());

/** A customer of its own, and sockets that send as it. */
async function newCustomer(name: string): Promise<{ readonly accountId: string; readonly key: string }> {
  await admin.createAccount(name, name);
  await admin.grant(name, 'first', 1_000);
  const { key } = await admin.createKey(`key_${name.replaceAll('-', '').padEnd(8, '0')}`, name, 'test');
  return { accountId: name, key };
}

/** Sends a request, or its beginning: this many bytes of its body. */
async function send(key: string, emails: readonly string[], bodyBytes = Infinity): Promise<Socket> {
  const { hostname, port, host } = new URL(service.ready.url);
  const body = JSON.stringify({ emails });
  const head = `POST /api/v1/verify HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await new Promise((sent) => socket.write(head + body.slice(0, bodyBytes), sent));
  return socket;
}

/** The ledger's changes by batch, once nothing is open any more. */
async function costs(accountId: string): Promise<readonly { readonly held: number; readonly cost: number }[]> {
  await expect.poll(async () => (await admin.showAccount(accountId)).openHolds.batches, { timeout: 10_000 }).toBe(0);
  const { rows } = await admin.statement(accountId, 500, undefined);
  const batches = new Map<string, { held: number; cost: number }>();
  for (const { kind, ref, delta } of rows) {
    if (kind === 'purchase') continue;
    const { held, cost } = batches.get(ref) ?? { held: 0, cost: 0 };
    batches.set(ref, { held: held - (kind === 'hold' ? delta : 0), cost: cost - delta });
  }
  const { balance } = await admin.showAccount(accountId);
  expect(rows.reduce((sum, row) => sum + row.delta, 0)).toBe(balance);
  return [...batches.values()];
}

async function jobs(): Promise<number | null | undefined> {
  return (await admin.listHosts()).hosts[0]?.jobs;
}

/** The host's connections to the sandbox's mail servers: TCP, established, from the kernel's own table. */
async function probes(): Promise<number> {
  const pid = service.ready.hosts[0]?.pid;
  const edgePort = Number(new URL(service.ready.url).port);
  const links = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  );
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const table = await readFile(`/proc/${pid}/net/tcp`, 'utf8');
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.filter(([, , remote, state, , , , , , inode]) => {
    const port = Number.parseInt(remote?.split(':')[1] ?? '0', 16);
    return state === '01' && port !== edgePort && inodes.has(inode ?? '');
  }).length;
}

const SILENT = ['a@silent.test', 'b@slow-mail.test'];

describe('a caller who resets the connection', () => {
  it('while the credits are being taken gets all of them back', async () => {
    const { accountId, key } = await newCustomer('at-hold');
    for (let waitMs = 0; waitMs < 12; waitMs += 1) {
      const socket = await send(key, SILENT);
      await new Promise((wake) => setTimeout(wake, waitMs));
      socket.resetAndDestroy();
    }
    await new Promise((wake) => setTimeout(wake, 300));
    for (const batch of await costs(accountId)) expect(batch).toEqual({ held: 2, cost: 0 });
    await expect.poll(jobs, { timeout: 5_000 }).toBe(0);
  });

  it('during the probes gets all credits back, and the host stops probing', async () => {
    const { accountId, key } = await newCustomer('probing');
    const socket = await send(key, SILENT);
    await expect.poll(probes, { timeout: 20_000 }).toBe(2);
    expect(await jobs()).toBe(1);
    socket.resetAndDestroy();
    // A server that says nothing is waited for 30 s.
    await expect.poll(probes, { timeout: 20_000, interval: 20 }).toBe(0);
    await expect.poll(jobs, { timeout: 5_000 }).toBe(0);
    expect(await costs(accountId)).toEqual([{ held: 2, cost: 0 }]);
  });

  it('while the answer is being sent pays for the whole batch or for nothing', async () => {
    const { accountId, key } = await newCustomer('late');
    const emails = ['ok@deliverable.test', 'nobody@deliverable.test', 'ok@greeting-554.test'];
    const startedAt = performance.now();
    const first = await send(key, emails);
    await new Promise((answered) => first.once('data', answered));
    const usualMs = performance.now() - startedAt;
    first.destroy();
    for (let turn = 0; turn < 20; turn += 1) {
      const socket = await send(key, emails);
      // Around the time that an answer takes, and the first byte of one at the latest.
      const answered = new Promise((resolve) => socket.once('data', resolve));
      const timer = new Promise((resolve) => setTimeout(resolve, usualMs * (0.8 + turn / 40)));
      await Promise.race([answered, timer]);
      socket.resetAndDestroy();
    }
    const batches = await costs(accountId);
    // One that was reset before anything was held is not among them.
    expect(batches.length).toBeGreaterThan(1);
    // Of the three one was refused to us: its credit comes back in any case.
    for (const { held, cost } of batches) expect([held, cost === 0 || cost === 2]).toEqual([3, true]);
    expect(batches.some(({ cost }) => cost === 2)).toBe(true);
  });
});
