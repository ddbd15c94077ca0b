import { describe, expect, test } from 'vitest';
import { Rcpt } from './rcpt.ts';
import {
  addresses,
  clientOf,
  collect,
  failureResponse,
  GREYLISTED,
  hurried,
  ScriptedService,
  UNPROBED,
} from './testing/scripted-service.ts';

// What a caller meets: lists in, results out, with a scripted service in the place of the network.

describe('a list', () => {
  test('is answered in order by verify, in requests of at most 500 entries', async () => {
    const service = new ScriptedService();
    const list = addresses(1_234);
    const results = await clientOf(service).verify(list);
    expect(results.map(({ email }) => email)).toEqual(list);
    expect(Math.max(...service.requests.map(({ emails }) => emails.length))).toBeLessThanOrEqual(500);
    expect(service.requests.every(({ accept }) => accept === 'application/x-ndjson')).toBe(true);
    expect(service.mostInFlight).toBeLessThanOrEqual(4);
  });

  test('that is empty sends nothing', async () => {
    const service = new ScriptedService();
    expect(await clientOf(service).verify([])).toEqual([]);
    expect(service.requests).toEqual([]);
  });

  test('of objects yields each object with its result', async () => {
    const list = [
      { email: 'a@x.test', row: 1 },
      { email: 'b@y.test', row: 2 },
    ];
    const { got } = await collect(clientOf(new ScriptedService()).verifyAll(list));
    expect(got.map(({ index, input, asked }) => ({ index, row: input.row, asked }))).toEqual([
      { index: 0, row: 1, asked: 1 },
      { index: 1, row: 2, asked: 1 },
    ]);
    expect(got[0]?.input).toBe(list[0]);
  });

  test('with duplicates asks each address once, and echoes each spelling', async () => {
    const service = new ScriptedService();
    const list = ['One@x.test', ...addresses(600), ' one@X.test ', 'E\u0301@x.test', '\u00e9@x.test'];
    const results = await clientOf(service).verify(list);
    expect(results).toHaveLength(604);
    expect(service.charged).toBe(602);
    expect([results[0]?.email, results[601]?.email]).toEqual(['one@x.test', 'one@x.test']);
    expect([results[602]?.email, results[603]?.email]).toEqual(['e\u0301@x.test', '\u00e9@x.test']);
  });

  test('of long entries keeps bodies within 51,200 bytes', async () => {
    const service = new ScriptedService();
    const list = Array.from({ length: 1_000 }, (_, n) => `${'ü'.repeat(60)}"\\${n}@d${n}.test`);
    await clientOf(service).verify(list);
    const sizes = service.requests.map(({ bytes }) => bytes);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(51_200);
    expect(Math.max(...sizes)).toBeGreaterThan(50_900);
  });

  test('may have an entry too large for a request: it is not an address', async () => {
    const service = new ScriptedService();
    const results = await clientOf(service).verify(['x'.repeat(60_000), 'a@x.test', '  b@x.test' + ' '.repeat(60_000)]);
    expect(results.map(({ reason }) => reason)).toEqual(['invalid_syntax', null, null]);
    expect(results[2]?.email).toBe('b@x.test');
  });

  test('with an entry that is not a string is refused before any request', async () => {
    const service = new ScriptedService();
    const list: string[] = JSON.parse('["a@x.test", 7]');
    await expect(clientOf(service).verify(list)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(clientOf(service).verify(list)).rejects.toThrow('Entry 1 ');
    expect(service.requests).toEqual([]);
  });

  test('that arrives slowly is asked in requests that are not full', async () => {
    const service = new ScriptedService();
    const got: string[] = [];
    const list = (async function* () {
      for (const email of addresses(3)) {
        yield email;
        while (!got.includes(email)) await new Promise((wake) => setTimeout(wake, 1));
      }
    })();
    for await (const { input } of clientOf(service).verifyAll(list)) got.push(input);
    expect(service.requests.map(({ emails }) => emails.length)).toEqual([1, 1, 1]);
  });

  test('of 30,000 is read ahead by at most 20,000', async () => {
    const service = new ScriptedService();
    let made = 0;
    let taken = 0;
    let most = 0;
    const list = (function* () {
      for (; made < 30_000; made += 1) {
        most = Math.max(most, made - taken);
        yield `user${made}@d${made % 3_000}.test`;
      }
    })();
    const run = clientOf(service).verifyAll(list);
    for await (const { asked } of run) {
      taken += asked;
      if (taken % 10_000 === 0) await new Promise((wake) => setTimeout(wake, 20));
    }
    expect(taken).toBe(30_000);
    expect(run.tally).toMatchObject({ read: 30_000, answered: 30_000, charged: 30_000, unconfirmed: 0 });
    expect(most).toBeLessThanOrEqual(20_000);
  });
});

describe('asking again', () => {
  test('waits for retry_after, counts rounds, and keeps the better result', async () => {
    const service = new ScriptedService();
    service.says = (email, nth) => {
      if (email.startsWith('grey')) return nth === 0 ? GREYLISTED : {};
      if (email.startsWith('late')) return nth === 0 ? GREYLISTED : UNPROBED;
      return email.startsWith('full') ? { ...GREYLISTED, reason: 'mailbox_full', retry_after: 3_600 } : {};
    };
    const { got } = await collect(
      clientOf(service).verifyAll(['grey@x.test', 'ok@x.test', 'late@x.test', 'full@x.test'], {
        rounds: 3,
      }),
    );
    const inOrder = got.toSorted((one, other) => one.index - other.index);
    expect(inOrder.map(({ asked, result }) => [asked, result.reason])).toEqual([
      [2, null],
      [1, null],
      [3, 'greylisting'],
      [1, 'mailbox_full'],
    ]);
  });

  test('happens only with `rounds`, and within waitAtMostMs', async () => {
    const service = new ScriptedService();
    service.says = () => GREYLISTED;
    const client = clientOf(service);
    const once = await collect(client.verifyAll(['a@x.test']));
    const patient = await collect(client.verifyAll(['a@x.test'], { rounds: 9, waitAtMostMs: 299_000 }));
    expect([...once.got, ...patient.got].map(({ asked }) => asked)).toEqual([1, 1]);
  });

  test('never spends credits that unasked addresses need, and respects the ceiling', async () => {
    const service = new ScriptedService();
    service.says = () => GREYLISTED;
    const run = clientOf(service).verifyAll(addresses(900), { rounds: 5, maxCredits: 1_000 });
    const { got, error } = await collect(run);
    expect(error).toBe(null);
    expect(got).toHaveLength(900);
    expect(got.filter(({ asked }) => asked > 1)).toHaveLength(100);
    expect(service.charged).toBe(1_000);
  });

  test('ends at the ceiling with the known results, and says what the rest needs', async () => {
    const service = new ScriptedService();
    const { got, error } = await collect(clientOf(service).verifyAll(addresses(900), { maxCredits: 700 }));
    expect(got).toHaveLength(700);
    expect(service.charged).toBe(700);
    expect(error).toMatchObject({ code: 'CEILING', creditsNeeded: 200, retryable: false });
    const twice = [...addresses(900), ...addresses(900)];
    const doubled = await collect(clientOf(new ScriptedService()).verifyAll(twice, { maxCredits: 700 }));
    expect(doubled.error).toMatchObject({ code: 'CEILING', creditsNeeded: 200 });
  });
});

describe('credits', () => {
  test('are read again after a temporary failure', async () => {
    const service = new ScriptedService();
    expect(await clientOf(service).credits()).toBe(1_000);
    const responses = [failureResponse(500, null), failureResponse(429, 'RATE_LIMITED'), Response.json({ credits: 7 })];
    const fetch = async (): Promise<Response> => responses.shift() ?? failureResponse(500, null);
    expect(await clientOf(service, { fetch }).credits()).toBe(7);
    await expect(clientOf(service, { fetch, maxRetries: 2 }).credits()).rejects.toThrow('It is 500.');
  });

  test.each(['no JSON', '{"credits":"7"}', '{"credits":-1}', '[]'])('are not %j', async (body) => {
    const fetch = async (): Promise<Response> => new Response(body, { headers: { 'rcpt-request-id': 'r1' } });
    const credits = clientOf(new ScriptedService(), { fetch }).credits();
    await expect(credits).rejects.toMatchObject({ code: 'BAD_ANSWER', status: 200, requestId: 'r1' });
  });
});

test('after a refusal no request begins before Retry-After', async () => {
  const service = new ScriptedService();
  const clock = hurried();
  const begunMs: number[] = [];
  service.answers = (_asked, nth) => {
    begunMs.push(clock.now());
    return nth === 0 ? failureResponse(429, 'RATE_LIMITED', { 'retry-after': '60' }) : null;
  };
  const { error } = await collect(clientOf(service, { clock }).verifyAll(addresses(3)));
  const [first = 0, second = 0, ...others] = begunMs;
  expect([error, others, second - first >= 60_000]).toEqual([null, [], true]);
});

describe('invalid options', () => {
  test('are refused without a key', () => {
    expect(() => new Rcpt(JSON.parse('{"baseURL":"https://verify.example.com"}'))).toThrow('apiKey is missing');
  });

  test.each([
    [{ apiKey: '' }, 'apiKey'],
    [{ apiKey: 'svc_live_x\r\nx: y' }, 'apiKey'],
    [{ baseURL: 'verify.example.com' }, 'baseURL'],
    [{ baseURL: 'file:///x' }, 'baseURL'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs'],
    [{ maxRetries: 1.5 }, 'maxRetries'],
  ])('are refused by name, and without the key: %j', (wrong, name) => {
    const right = { apiKey: 'svc_live_x', baseURL: 'https://verify.example.com' };
    expect(() => new Rcpt({ ...right, ...wrong })).toThrow(TypeError);
    expect(() => new Rcpt({ ...right, ...wrong })).toThrow(name);
    expect(() => new Rcpt({ ...right, ...wrong })).not.toThrow('svc_live_x\r');
  });

  test.each([
    [{ inFlight: 0 }],
    [{ waitS: 0 }],
    [{ waitS: 91 }],
    [{ rounds: 0 }],
    [{ rounds: 1.5 }],
    [{ waitAtMostMs: -1 }],
    [{ maxCredits: -1 }],
    [{ maxCredits: NaN }],
    [{ listId: '' }],
    [{ listId: 'l'.repeat(201) }],
    [{ listId: 'für Ann' }],
    [{ maxCredit: 5 }],
  ])('of a run are refused by name: %j', (wrong: object) => {
    const run = () => clientOf(new ScriptedService()).verifyAll(['a@x.test'], wrong);
    expect(run).toThrow(TypeError);
    expect(run).toThrow(Object.keys(wrong)[0]);
  });
});

test.each(['ann@x.test', null, undefined, { email: 'ann@x.test' }])(
  '%j is no list, and is not repeated',
  async (list) => {
    const service = new ScriptedService();
    const client = clientOf(service);
    const call: unknown = Reflect.get(client, 'verify');
    const verify = async (): Promise<unknown> => typeof call === 'function' && (await call.apply(client, [list]));
    await expect(verify()).rejects.toThrow(/^The list must be an array/);
    expect(service.requests).toEqual([]);
  },
);
