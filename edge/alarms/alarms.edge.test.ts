import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Edge, inIsolate, startEdge } from '../testing/edge.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';

let receiver: Receiver;
let edge: Edge;
beforeAll(async () => {
  receiver = await startReceiver();
  edge = await startEdge({ ALERT_WEBHOOK: receiver.url });
});
afterAll(async () => {
  await edge.stop();
  await receiver.stop();
});

const events = (): readonly string[] =>
  JSON.stringify(receiver.posts)
    .split('"event":"')
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf('"')));

test('a failed webhook costs the request nothing and is retried, and no isolate repeats a post', async () => {
  const { key } = await edge.customer(100);
  receiver.status = 500;
  const failed = await edge.verify(key, ['a@throws.test']);
  expect([failed.status, failed.headers.get('rcpt-request-id')]).toEqual([500, expect.any(String)]);
  await expect.poll(events).toEqual(['fleet_unreachable']);
  receiver.status = 204;
  // The webhook is left alone for a few seconds.
  const again = async (): Promise<readonly string[]> => {
    for (const isolate of ['one', 'two', 'three'])
      expect((await edge.verify(key, ['a@throws.test'], inIsolate(isolate))).status).toBe(500);
    return events();
  };
  await expect.poll(again, { timeout: 30_000, interval: 2_000 }).toEqual(['fleet_unreachable', 'fleet_unreachable']);
  expect((await edge.verify(key, ['a@throws.test'])).status).toBe(500);
  await edge.fail({ d1Before: 9 });
  expect((await edge.verify(key, ['a@good.test'])).status).toBe(500);
  await edge.fail({});
  // It came after the others, so none of them is still in transit.
  await expect.poll(events).toEqual(['fleet_unreachable', 'fleet_unreachable', 'verification_failed']);
  expect(JSON.stringify(receiver.posts)).toContain('"runbook":"edge/runbooks/requests-fail.md"');
  expect(JSON.stringify(receiver.posts)).not.toMatch(/@|throws\.test|good\.test|svc_live/);
});

test('failing database requests turn /health red and say why; callers’ mistakes do not', async () => {
  const { key } = await edge.customer(100);
  const health = async (): Promise<unknown> =>
    (await fetch(new URL('/health', edge.url), { headers: inIsolate(crypto.randomUUID()) })).json();
  for (let n = 0; n < 20; n += 1) expect((await edge.verify(key, 'no list')).status).toBe(400);
  const before = JSON.stringify(await health());
  await edge.fail({ d1Before: 1_000 });
  const failed = await Promise.all(Array.from({ length: 40 }, () => edge.verify(key, ['a@good.test'])));
  expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([500]));
  await edge.fail({});
  await expect
    .poll(health)
    .toMatchObject({ problems: [expect.stringMatching(/^the database failed \(\d+ of \d+ verifications failed/)] });
  expect(before).not.toContain('the database');
});

test.each([
  ['PACKS, KEY_SECRETS', { KEY_SECRETS: 'short', PACKS: '[' }],
  // The database with that number is not bound.
  ['LEDGER_DATABASES, DB_1', { LEDGER_DATABASES: '2' }],
])('wrong variables are named in /health, and by the cron to the webhook: %s', async (wrong, vars) => {
  const alone = await startReceiver();
  const broken = await startEdge({ ALERT_WEBHOOK: alone.url, ...vars }, { DB: { id: 'alone' } });
  try {
    const why = `Worker variables missing or wrong: ${wrong}`;
    const answer = await fetch(new URL('/health', broken.url));
    expect([answer.status, await answer.json()]).toMatchObject([503, { problems: [why] }]);
    await (await broken.mf.getWorker('edge')).scheduled();
    await expect.poll(() => JSON.stringify(alone.posts)).toContain(`service_down cause=misconfigured why=${why}`);
    expect(JSON.stringify(alone.posts)).toContain('edge/runbooks/service-down.md');
  } finally {
    await broken.stop();
    await alone.stop();
  }
});

test('unreadable operator keys are named to the webhook and to operators, while customers are served', async () => {
  const alone = await startReceiver();
  const broken = await startEdge({ ALERT_WEBHOOK: alone.url, OPERATOR_KEYS: '{"ann":' });
  try {
    const why = 'Worker variables missing or wrong: OPERATOR_KEYS; customers are served';
    const answer = await fetch(new URL('/health', broken.url));
    expect(await answer.json()).toMatchObject({ problems: expect.not.arrayContaining([why]) });
    const listed = await fetch(new URL('/admin/v1/hosts', broken.url));
    expect([listed.status, await listed.text()]).toEqual([
      500,
      expect.stringContaining('The secret OPERATOR_KEYS is not'),
    ]);
    const { key } = await broken.customer(1);
    expect((await broken.verify(key, ['a@good.test'])).status).toBe(200);
    await (await broken.mf.getWorker('edge')).scheduled();
    await expect.poll(() => JSON.stringify(alone.posts), { timeout: 20_000 }).toContain(why);
  } finally {
    await broken.stop();
    await alone.stop();
  }
}, 40_000);
