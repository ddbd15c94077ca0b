import { expect, test } from 'vitest';
import type { Journal } from './journal/journal.ts';
import { memoryJournal } from './testing/memory-journal.ts';
import {
  addresses,
  clientOf,
  collect,
  failureResponse,
  GREYLISTED,
  hurried,
  ScriptedService,
} from './testing/scripted-service.ts';

test('a failed list resumes where it stopped and pays for nothing again', async () => {
  const service = new ScriptedService();
  const list = addresses(3_000);
  const journal = memoryJournal();
  service.answers = (_asked, nth) => (nth < 2 ? null : failureResponse(402, 'NO_CREDITS'));
  const first = await collect(clientOf(service).verifyAll(list, { journal }));
  expect([first.got.length, service.charged]).toEqual([1_000, 1_000]);
  service.answers = () => null;
  const second = await collect(clientOf(service).verifyAll(list, { journal }));
  expect(second.got.map(({ input }) => input).toSorted()).toEqual(list.toSorted());
  expect(second.got.every(({ asked }) => asked === 1)).toBe(true);
  expect(service.charged).toBe(3_000);
});

test.each([
  // Nobody waits longer than the service said.
  ['was set back an hour', -3_600_000, 300_000],
  ['jumped ahead ten years', 315_360_000_000, 0],
])('a deferred address is asked again when its wait is over, even if the clock %s', async (_how, jumpMs, waitMs) => {
  const service = new ScriptedService();
  const journal = memoryJournal();
  service.says = () => GREYLISTED;
  await collect(clientOf(service).verifyAll(['a@x.test'], { journal }));
  service.says = () => ({});
  const clock = { ...hurried(), wallMs: () => 1_700_000_000_000 + jumpMs };
  const { got } = await collect(clientOf(service, { clock }).verifyAll(['a@x.test'], { journal, rounds: 2 }));
  expect(got.map(({ asked, result }) => [asked, result.result])).toEqual([[2, 'deliverable']]);
  expect(clock.now()).toBeGreaterThanOrEqual(waitMs);
  expect(clock.now()).toBeLessThan(waitMs + 6_000);
});

test('a changed list is refused at the first difference, and may grow', async () => {
  const service = new ScriptedService();
  const journal = memoryJournal();
  await collect(clientOf(service).verifyAll(addresses(10), { journal }));
  const asked = service.requests.length;
  for (const changed of [addresses(10).with(3, 'other@d3.test'), addresses(10).with(3, 'other@d3.test').values()]) {
    const { got, error } = await collect(clientOf(service).verifyAll(changed, { journal }));
    expect([got.length, error]).toMatchObject([3, { code: 'LIST_CHANGED', retryable: false }]);
  }
  expect(service.requests).toHaveLength(asked);
  const longer = await collect(clientOf(service).verifyAll(addresses(11), { journal }));
  expect([longer.got.length, longer.error, service.charged]).toEqual([11, null, 11]);
});

test('a journal that cannot be written ends the run without a further request', async () => {
  const service = new ScriptedService();
  const full = new Error('no space left');
  let written = 0;
  const journal = {
    ...memoryJournal(),
    append: async () => {
      if ((written += 1) > 100) throw full;
    },
  };
  const { got, error } = await collect(clientOf(service).verifyAll(addresses(9_000), { journal }));
  expect(error).toBe(full);
  expect(service.requests.length).toBeLessThanOrEqual(4);
  expect(got.length).toBe(service.charged);
});

test('results are yielded only after the journal has them', async () => {
  const service = new ScriptedService();
  const survived = new Set<number>();
  const journal: Journal = {
    ...memoryJournal(),
    append: async ({ index }) => {
      await new Promise((wake) => setTimeout(wake, index % 7));
      survived.add(index);
    },
  };
  const run = clientOf(service).verifyAll(addresses(1_200), { journal });
  let got = 0;
  for await (const { index } of run) {
    expect(survived.has(index)).toBe(true);
    got += 1;
  }
  expect(got).toBe(1_200);
});

test('leaving the loop waits until all results are in the journal and closes it', async () => {
  const service = new ScriptedService();
  const { promise: slow, resolve: written } = Promise.withResolvers<void>();
  const said: string[] = [];
  const journal: Journal = {
    ...memoryJournal(),
    append: async ({ index }) => {
      if (index > 0) await slow;
      said.push(`wrote ${index}`);
    },
    close: async () => void said.push('closed'),
  };
  const run = clientOf(service).verifyAll(addresses(3), { journal });
  await run.next();
  const left = run.return();
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(said).toEqual(['wrote 0']);
  written();
  await left;
  expect(said).toEqual(['wrote 0', 'wrote 1', 'wrote 2', 'closed']);
});

test('a journal failure in the middle of a response is reported at once, without an unhandled rejection', async () => {
  const service = new ScriptedService();
  const full = new Error('no space left');
  const unhandled: unknown[] = [];
  const record = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', record);
  // The first line comes; the others only when the journal has long failed.
  service.answers = (asked) => {
    const [first = '', ...others] = service.lines(asked);
    const late = new Promise<string>((wake) => setTimeout(() => wake(`${others.join('\n')}\n`), 30));
    const pieces = [`${first}\n`, late];
    const stream = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const piece = await pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    });
    return new Response(stream, { headers: { 'content-type': 'application/x-ndjson' } });
  };
  const journal = { ...memoryJournal(), append: () => Promise.reject(full) };
  const { got, error } = await collect(clientOf(service).verifyAll(addresses(900), { journal, inFlight: 1 }));
  process.off('unhandledRejection', record);
  expect([got.length, error, unhandled]).toEqual([service.charged, full, []]);
  expect(service.requests).toHaveLength(1);
});
