import { describe, expect } from 'vitest';
import * as z from 'zod';
import { closingLineSchema, invalidEntrySchema, verificationResultSchema } from '../../schema/api.ts';
import { claim } from './testing/claim.ts';
import { leavingCaller } from './testing/leaving-caller.ts';
import { expectError, results } from './testing/reply.ts';
import { credits, customer, verify, type HttpResponse } from './testing/service.ts';

// The answer in lines, an addition to the interface.

/** Fewer calls than a key has in a minute. */
const SETTLES = { timeout: 6_000, interval: 150 } as const;
const LINES = { accept: 'application/x-ndjson' };
const index = { index: z.int().min(0) };
const elementSchema = z.union([
  verificationResultSchema.extend(index).strict(),
  invalidEntrySchema.extend(index).strict(),
]);

function readLines(answer: HttpResponse) {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  expect(answer.text.endsWith('\n')).toBe(true);
  const lines = answer.text.slice(0, -1).split('\n');
  const last = closingLineSchema.strict().parse(JSON.parse(lines.pop() ?? ''));
  return { elements: lines.map((line) => elementSchema.parse(JSON.parse(line))), last };
}

describe('with `Accept: application/x-ndjson`', () => {
  claim(
    'lines',
    'each element is a line of its own with its index, and the last line closes the answer',
    'any key',
    async () => {
      const { elements, last } = readLines(await verify(['x', 7, ' Y ', null], { headers: LINES }));
      expect(elements.map((element) => [element.index, element.email])).toEqual([
        [0, 'x'],
        [1, 7],
        [2, 'y'],
        [3, null],
      ]);
      expect(last).toEqual({ done: true, charged: 0, returned: 0 });
    },
  );
  claim('lines', 'the elements are those of the array', 'sandbox', async () => {
    const { key } = await customer(6);
    const emails = ['ok@deliverable.test', 'nobody@deliverable.test', 'OK@deliverable.test', 'anyone@catchall.test'];
    const { elements } = readLines(await verify(emails, { key, headers: LINES }));
    const sorted = elements.toSorted((a, b) => a.index - b.index).map(({ index: _index, ...element }) => element);
    expect(sorted).toEqual(results(await verify(emails, { key })));
  });
  claim(
    'lines',
    'the last line says what was charged and what came back, and the balance agrees',
    'sandbox',
    async () => {
      const { key } = await customer(10);
      const emails = ['ok@deliverable.test', 'anyone@blocked.test', 'ok@deliverable.test', 'x', 7];
      expect(readLines(await verify(emails, { key, headers: LINES })).last).toEqual({
        done: true,
        charged: 1,
        returned: 1,
      });
      await expect.poll(() => credits(key), SETTLES).toBe(9);
    },
  );
  claim('4.1 rule 3', 'domains are probed in parallel: a slow one holds up no other', 'sandbox', async () => {
    const { key } = await customer(2);
    const emails = ['anyone@dns-silent.test', 'ok@deliverable.test'];
    const { elements } = readLines(await verify(emails, { key, headers: LINES }));
    expect(elements.map(({ index: at }) => at)).toEqual([1, 0]);
  });
  claim('lines', 'after a disconnect only the elements that were written are charged', 'sandbox', async () => {
    const { key } = await customer(5);
    const caller = leavingCaller(['anyone@slow-mail.test', 'ok@deliverable.test'], key, LINES.accept);
    await caller.hears('"ok@deliverable.test"');
    expect(await credits(key)).toBe(3);
    caller.leaves();
    await expect.poll(() => credits(key), SETTLES).toBe(4);
  });
  claim('lines', 'an error has its status and its JSON body as ever', 'operator', async () => {
    const { key } = await customer(0);
    expectError(await verify([], { key, headers: LINES }), 400, 'INVALID_INPUT');
    expectError(await verify(['a@[192.0.2.1]'], { key, headers: LINES }), 402, 'NO_CREDITS');
  });
});

describe('Accept', () => {
  claim('lines', 'asks for lines only if it names them and does not prefer the array', 'any key', async () => {
    for (const [accept, type] of [
      ['*/*', 'application/json'],
      ['text/html', 'application/json'],
      ['application/x-ndjson;q=0', 'application/json'],
      ['application/json, application/x-ndjson;q=0.5', 'application/json'],
      ['application/json;q=0.5, application/x-ndjson', 'application/x-ndjson'],
      ['application/x-ndjson;q=0.1', 'application/x-ndjson'],
    ] as const)
      expect((await verify(['x'], { headers: { accept } })).headers.get('content-type')).toBe(type);
  });
});
