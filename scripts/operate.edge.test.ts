import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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

test('a call is one line of the log, is counted for status and page, and no address is in what is said', async () => {
  const { url, apiKey } = service.ready;
  const answer = await fetch(new URL('/api/v1/verify', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ emails: ['ok@deliverable.test', 'nobody@deliverable.test', 'x@nxdomain.test'] }),
  });
  expect(answer.status).toBe(200);
  const id = answer.headers.get('x-request-id') ?? '';
  const line = (): string =>
    service
      .err()
      .split('\n')
      .find((one) => one.includes('"batch"') && one.includes(id)) ?? '';
  await expect.poll(line).not.toBe('');
  expect(JSON.parse(line())).toMatchObject({ event: 'batch', requestId: id, hosts: 'local-1', jobs: 1 });
  await expect.poll(() => admin('status')).toMatch(/^last hour +1 +3 +0\.0 %/m);
  expect(line() + (await admin('status'))).not.toMatch(/@|deliverable\.test|nxdomain\.test/);
});

test('an Alarms object that can write nothing is told from one that has nothing to say, and is well again with the next write', async () => {
  await service.stop();
  const database = new DatabaseSync(join(state, alarmsFile()));
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
