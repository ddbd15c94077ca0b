import { describe, expect } from 'vitest';
import { creditsSchema } from '../../schema/api.ts';
import { claim } from './testing/claim.ts';
import { elements, expectError, results } from './testing/reply.ts';
import { ask, customer, post, verify } from './testing/service.ts';

// Sections 2.1, 2.3, 2.4 and 4: bodies and their fields, on entries that cost nothing.

/** Never probed and never dialled. */
const LITERAL = 'anyone@[192.0.2.1]';

describe('the request', () => {
  claim('2.1', '`emails` is required', 'any key', async () => {
    for (const body of ['{}', '{"email":["x"]}', '{"emails":null}'])
      expectError(await post(body), 400, 'INVALID_INPUT');
  });
  claim('2.1', '`emails` is an array of one entry or more', 'any key', async () => {
    for (const emails of [[], {}, 'x', 7, true]) expectError(await verify(emails), 400, 'INVALID_INPUT');
    expect(elements(await verify(['x']))).toHaveLength(1);
  });
  claim('2.1', 'entries are trimmed and lower-cased', 'any key', async () => {
    const [result] = results(await verify([' \t NO Address\n']));
    expect(result?.email).toBe('no address');
  });
  claim('2.1', 'only JSON strings are verifiable', 'any key', async () => {
    const read = elements(await verify([1, null, true, ['a@b.test'], { email: 'a@b.test' }, 'x']));
    expect(read.map((element) => 'result' in element)).toEqual([false, false, false, false, false, true]);
  });
});

describe('the answer', () => {
  claim('4.1', 'is always an array, for one address too', 'any key', async () => {
    expect(JSON.parse((await verify([LITERAL])).text)).toEqual([expect.objectContaining({ email: LITERAL })]);
  });
  claim('4.1', 'has one element per entry, in input order', 'any key', async () => {
    const read = elements(await verify(['b', 2, 'a', null, 'B', LITERAL, 'a']));
    expect(read.map(({ email }) => email)).toEqual(['b', 2, 'a', null, 'b', LITERAL, 'a']);
  });
  claim(
    '4.1',
    'has for each entry a result or a placeholder, and no member that is not listed',
    'any key',
    async () => {
      expect(elements(await verify(['x', 7, LITERAL]))).toHaveLength(3);
    },
  );
  claim('2.2', 'every result has the seventeen fields, of their types', 'any key', async () => {
    for (const result of results(await verify(['x', LITERAL]))) expect(Object.keys(result)).toHaveLength(17);
  });
  claim('4', 'all bodies are JSON', 'any key', async () => {
    const answers = [await verify(['x']), await verify([]), await ask('/api/v1/credits'), await ask('/nowhere')];
    for (const answer of answers) {
      expect(answer.headers.get('content-type')).toBe('application/json');
      JSON.parse(answer.text);
    }
  });
});

describe('the placeholder', () => {
  const entries = [0, -1.5, 1e21, true, false, null, [], ['x', [1]], {}, { email: 'x', deep: { ü: '\u0000' } }];
  claim(
    '2.3',
    'stands in the slot of an entry that is no JSON string, so that the arrays stay aligned',
    'any key',
    async () => {
      const read = elements(await verify(entries.flatMap((entry) => [entry, 'x'])));
      expect(read.map((element) => 'error' in element)).toEqual(entries.flatMap(() => [true, false]));
    },
  );
  claim('2.3', '`email` is the entry as submitted', 'any key', async () => {
    expect(elements(await verify(entries)).map(({ email }) => email)).toEqual(entries);
  });
  claim(
    '2.3',
    '`email` is the entry as submitted, if it is a number that few programs can hold',
    'any key',
    async () => {
      const numbers = ['12345678901234567890', '-9007199254740993', '1e400', '[{"a":123456789012345678901}]'];
      const { status, text } = await post(`{"emails":[${numbers.join(',')}]}`);
      expect(status).toBe(200);
      for (const number of numbers) expect(text).toContain(`{"email":${number},`);
    },
  );
  claim('2.3', '`error` is always `invalid`, and there is no `result`', 'any key', async () => {
    for (const element of elements(await verify(entries)))
      expect(element).toEqual({ email: element.email, error: 'invalid' });
  });
});

describe('credits', () => {
  claim('2.4', '`credits` is an integer, and the only member', 'any key', async () => {
    creditsSchema.strict().parse(JSON.parse((await ask('/api/v1/credits')).text));
  });
  claim('2.4', '`credits` is the balance that remains', 'operator', async () => {
    const { key } = await customer(7);
    expect(JSON.parse((await ask('/api/v1/credits', { key })).text)).toEqual({ credits: 7 });
  });
  claim('4.2', 'takes no body and no parameters', 'any key', async () => {
    expect((await ask('/api/v1/credits?a=1&a=2&email=x')).status).toBe(200);
  });
});
