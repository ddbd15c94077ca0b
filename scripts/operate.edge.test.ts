import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { serialize } from 'node:v8';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdmin } from './admin/program.ts';
import { newStateFolder, type RunningService, startRunningService } from './testing/running-service.ts';

// What an operator sees of calls, on the whole service.

let state: string;
let service: RunningService;
beforeAll(async () => {
  state = await newStateFolder();
  service = await startRunningService(state);
}, 90_000);
afterAll(async () => {
  await service.stop();
  await rm(state, { recursive: true, force: true });
});

async function admin(...args: readonly string[]): Promise<string> {
  const { url, operatorKey } = service.ready;
  const variables = { RCPT_URL: new URL(url).origin, RCPT_OPERATOR_KEY: operatorKey };
  let said = '';
  const write = (text: string): void => void (said += text);
  await runAdmin(args, variables, { out: write, err: write });
  return said;
}

test('a call is explained by its id, is counted for status and page, and no address is in what is said', async () => {
  const { url, apiKey } = service.ready;
  const answer = await fetch(new URL('/api/v1/verify', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ emails: ['ok@deliverable.test', 'nobody@deliverable.test', 'x@nxdomain.test'] }),
  });
  expect(answer.status).toBe(200);
  const id = answer.headers.get('x-request-id') ?? '';
  // The host says what it did when its job has ended, a moment after the answer.
  await expect.poll(() => admin('batch', id)).toMatch(/the host took [\d,]+ ms; .*accepted/);
  const explained = await admin('batch', id);
  expect(explained).toMatch(/^3 addresses in [\d,]+ ms: served$/m);
  expect(explained).toMatch(/before the fleet: \d+ ms, of which the hold \d+ ms/);
  expect(explained).toMatch(/^job 1 at local-1: 3 addresses, given after \d+ ms, first answer after \d+ ms, done/m);
  expect(explained).toMatch(/reply rcpt +\d+ ×/);
  expect(explained).toMatch(/lookup mx nxdomain +\d+ ×/);
  await expect.poll(() => admin('status')).toMatch(/^last hour +1 +3 +0\.0 %/m);
  expect(explained + (await admin('status'))).not.toMatch(/@|deliverable\.test|nxdomain\.test/);
  expect(await admin('batch', '01a20612-44f8-7c5d-bee0-92a75987e70e')).toMatch(/^No such batch/);
});

test('an Alarms object that can write nothing is told from one that has nothing to say, and is well again with the next write', async () => {
  await service.stop();
  const database = new DatabaseSync(join(state, alarmsFile()));
  const write = database.prepare("INSERT OR REPLACE INTO _cf_KV VALUES ('beat', ?)");
  // It wrote last more than three minutes ago.
  write.run(serialize(Date.now() - 181_000));
  database.exec('PRAGMA busy_timeout = 10000; BEGIN EXCLUSIVE');
  service = await startRunningService(state);
  expect(await admin('status')).toContain('! alarms are neither posted nor counted: ');
  database.exec('ROLLBACK');
  database.close();
  // The cron has it written.
  await expect.poll(() => admin('status'), { timeout: 30_000, interval: 1_000 }).not.toContain('neither posted');
}, 120_000);

/** Where the objects of the service keep what alarms were posted. */
function alarmsFile(): string {
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' });
  const found = files.find((name) => /edge-Alarms\/[0-9a-f]+\.sqlite$/.test(name));
  if (found === undefined) throw new Error(`${state} has no Alarms object`);
  return found;
}
