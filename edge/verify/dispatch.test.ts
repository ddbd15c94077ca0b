import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FleetJob, FleetLine } from '../base/fleet-protocol.ts';
import { addressIndex } from '../base/indexes.ts';
import { evidenceText } from '../testing/worker/evidence-text.ts';
import { scriptedEvidence } from '../testing/worker/outcomes.ts';
import { type Ask, type FleetFigures, gather } from './dispatch.ts';
import type { AddressEvidence } from './judge.ts';

const DEADLINE_MS = 90_000;
const utf8 = new TextEncoder();

function line(i: number, domain = 'good.test'): string {
  const evidence = scriptedEvidence(domain);
  if (evidence === null) throw new Error(`The script has no ${domain}`);
  return `${evidenceText(i, evidence)}\n`;
}
const lastLine = (cause: Extract<FleetLine, { type: 'end' }>['cause']): string =>
  `${JSON.stringify({ type: 'end', cause } satisfies FleetLine)}\n`;
const end = lastLine('done');

type Then = 'close' | 'break' | 'hang';

/** A fleet that answers its calls with these texts, in order. */
function fleet(...answers: ReadonlyArray<readonly [text: string | readonly string[], then: Then]>) {
  const jobs: FleetJob[] = [];
  let cancelled = 0;
  const ask: Ask = async (job) => {
    const [text, then] = answers[jobs.length] ?? ['', 'hang'];
    jobs.push(job);
    const chunks = typeof text === 'string' ? [text] : text;
    let next = 0;
    return new ReadableStream({
      pull(controller) {
        const chunk = chunks[next];
        next += 1;
        if (chunk !== undefined) controller.enqueue(utf8.encode(chunk));
        else if (then === 'close') controller.close();
        else if (then === 'break') controller.error(new Error('reset'));
      },
      cancel() {
        cancelled += 1;
      },
    });
  };
  return { ask, jobs, cancelled: () => cancelled };
}

const gathering = (addresses: number, gone = new AbortController().signal) => ({
  batchId: '0190163d-8694-739b-aea5-966c26f8ad91',
  account: 'account-1',
  accountClass: 'bought' as const,
  addresses: Array.from({ length: addresses }, (_, i) => ({
    index: addressIndex(i),
    local: `a${i}`,
    domain: 'good.test',
  })),
  deadlineMs: Date.now() + DEADLINE_MS,
  gone,
});

async function all(news: AsyncIterable<readonly AddressEvidence[]>): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const items of news) found.push(...items.map((item) => item.address));
  return found;
}

describe('gather', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('yields the evidence wherever the bytes are cut', async () => {
    const bytes = line(2) + line(0) + line(1) + end;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 8 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((cut, i) => bytes.slice(at[i], cut));
        const { ask } = fleet([chunks.filter((chunk) => chunk !== ''), 'close']);
        expect(await all(gather(ask, gathering(3)))).toEqual([2, 0, 1]);
      }),
      { numRuns: 50 },
    );
  });

  it('passes on the time left and the account, and sends no job without addresses', async () => {
    const { ask, jobs } = fleet([end, 'close']);
    expect(await all(gather(ask, gathering(1)))).toEqual([]);
    expect(jobs[0]).toMatchObject({ remainingMs: DEADLINE_MS, account: 'account-1', accountClass: 'bought' });
    expect(await all(gather(ask, gathering(0)))).toEqual([]);
    expect(jobs).toHaveLength(1);
  });

  it('gives hosts two seconds more than a hurried caller has, and does not log what arrives too late', async () => {
    const { ask, jobs, cancelled } = fleet([line(0), 'hang']);
    const found = all(gather(ask, { ...gathering(2), deadlineMs: Date.now() + 3_000, isHurried: true }));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await found).toEqual([0]);
    expect([jobs[0]?.remainingMs, cancelled()]).toEqual([5_000, 1]);
    expect(console.warn).not.toHaveBeenCalled();
  });

  it('yields each address once, and drops unrequested addresses, broken lines and unknown types', async () => {
    const { ask } = fleet([`nonsense\n{"type":"weather"}\n${line(0)}${line(0)}${line(7)}${end}${line(1)}`, 'close']);
    expect(await all(gather(ask, gathering(2)))).toEqual([0]);
    expect(console.warn).toHaveBeenCalledWith(expect.stringContaining('"dropped":3'));
  });

  it.each(['break', 'close'] as const)(
    'retries once if the answer ends with a %s before its last line',
    async (then) => {
      const { ask, jobs } = fleet([line(0), then], [line(0) + end, 'close']);
      const found = all(gather(ask, gathering(3)));
      await vi.advanceTimersByTimeAsync(500);
      expect(await found).toEqual([0, 1]);
      expect(jobs.map((job) => job.account)).toEqual(['account-1', 'account-1']);
      expect(jobs[0]?.batchId).toBe(gathering(0).batchId);
      expect(jobs[1]?.batchId).not.toBe(gathering(0).batchId);
    },
  );

  it.each([
    ['another object, if the first did not begin', true, 'other'],
    ['the same one, if there is no other', false, 'own'],
  ])('retries with %s', async (_what, isThereAnother, who) => {
    const asked: string[] = [];
    const { ask: answering } = fleet([line(0) + line(1) + line(2) + end, 'close']);
    const own: Ask = (job) => {
      asked.push('own');
      return asked.length === 1 ? Promise.reject(new Error('its storage is gone')) : answering(job, 0);
    };
    const other: Ask = (job) => {
      asked.push('other');
      return answering(job, 0);
    };
    const found = all(gather(own, { ...gathering(3), ...(isThereAnother ? { standIn: other } : {}) }));
    await vi.advanceTimersByTimeAsync(500);
    expect(await found).toEqual([0, 1, 2]);
    expect(asked).toEqual(['own', who]);
    expect(console.error).toHaveBeenCalledTimes(isThereAnother ? 1 : 0);
  });

  it('retries with the same object if that had begun the batch', async () => {
    const { ask, jobs } = fleet([line(0), 'break'], [line(0) + line(1) + end, 'close']);
    const found = all(gather(ask, { ...gathering(3), standIn: () => Promise.reject(new Error('asked')) }));
    await vi.advanceTimersByTimeAsync(500);
    expect(await found).toEqual([0, 1, 2]);
    expect(jobs).toHaveLength(2);
  });

  it('keeps what it has if the second answer breaks too', async () => {
    const { ask, jobs } = fleet([line(0), 'break'], [line(0), 'break']);
    const found = all(gather(ask, gathering(3)));
    await vi.advanceTimersByTimeAsync(500);
    expect(await found).toEqual([0, 1]);
    expect(jobs).toHaveLength(2);
  });

  it('does not retry if nothing is missing', async () => {
    const { ask, jobs } = fleet([line(0), 'break']);
    expect(await all(gather(ask, gathering(1)))).toEqual([0]);
    expect(jobs).toHaveLength(1);
  });

  it('does not retry an overloaded object', async () => {
    let asked = 0;
    const ask: Ask = () => {
      asked += 1;
      return Promise.reject(Object.assign(new Error('too much'), { overloaded: true }));
    };
    expect(await all(gather(ask, gathering(1)))).toEqual([]);
    expect(asked).toBe(1);
  });

  it('gives up on a line that never ends', async () => {
    const { ask, jobs } = fleet([['x'.repeat(70_000)], 'hang'], [end, 'close']);
    const found = all(gather(ask, gathering(1)));
    await vi.advanceTimersByTimeAsync(500);
    expect(await found).toEqual([]);
    expect(jobs).toHaveLength(2);
  });

  it('ends at the deadline and cancels the job', async () => {
    const { ask, cancelled } = fleet([line(0), 'hang']);
    const found = all(gather(ask, gathering(2)));
    await vi.advanceTimersByTimeAsync(DEADLINE_MS - 1);
    expect(cancelled()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await found).toEqual([0]);
    expect(cancelled()).toBe(1);
  });

  it('ends at once and cancels the job when the caller disconnects', async () => {
    const caller = new AbortController();
    const { ask, cancelled } = fleet([line(0), 'hang']);
    const found = all(gather(ask, gathering(2, caller.signal)));
    await vi.advanceTimersByTimeAsync(10);
    caller.abort();
    expect(await found).toEqual([0]);
    expect(cancelled()).toBe(1);
  });

  it('sends no job for a caller that is already gone', async () => {
    const { ask, jobs } = fleet();
    expect(await all(gather(ask, gathering(1, AbortSignal.abort())))).toEqual([]);
    expect(jobs).toEqual([]);
  });

  it('cancels an answer that arrives after the caller disconnected', async () => {
    const caller = new AbortController();
    const { ask, cancelled } = fleet(['', 'hang']);
    const slow: Ask = async (job) => {
      await new Promise((wake) => setTimeout(wake, 1_000));
      return ask(job, 0);
    };
    const found = all(gather(slow, gathering(1, caller.signal)));
    caller.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([await found, cancelled()]).toEqual([[], 1]);
  });

  it('keeps reading while its consumer is slow', async () => {
    const texts = [line(0), line(1), line(2), end];
    let pulled = 0;
    const ask: Ask = async () =>
      new ReadableStream(
        {
          pull(controller) {
            const text = texts[pulled];
            pulled += 1;
            if (text === undefined) controller.close();
            else controller.enqueue(utf8.encode(text));
          },
        },
        { highWaterMark: 0 },
      );
    const found: number[] = [];
    for await (const items of gather(ask, gathering(3))) {
      found.push(...items.map((item) => item.address));
      await vi.advanceTimersByTimeAsync(1_000);
      expect(pulled).toBe(texts.length);
    }
    expect(found).toEqual([0, 1, 2]);
  });

  it.each(['full', 'share'] as const)(
    'rejects the batch if the fleet answers "%s" before any evidence',
    async (cause) => {
      const { ask, jobs } = fleet([lastLine(cause), 'close']);
      const told: unknown[] = [];
      const news = gather(ask, { ...gathering(1), onNoRoom: (noRoom) => void told.push(noRoom) });
      await expect(all(news)).rejects.toMatchObject({ failure: 'RATE_LIMITED' });
      expect([jobs.length, told]).toEqual([1, [cause]]);
    },
  );

  it.each([
    ['the fleet had no host', 3, [line(0) + lastLine('no_host'), 'close'], { missing: 2, unprobed: 0, why: 'no_host' }],
    ['the time was over', 3, [line(0) + line(1, 'unprobed.test'), 'hang'], { missing: 1, unprobed: 1, why: null }],
    [
      'no host could probe',
      2,
      [line(0, 'unprobed.test') + line(1, 'unprobed.test') + end, 'close'],
      { missing: 0, unprobed: 2, why: 'done' },
    ],
  ] as const)('logs a short batch if %s', async (_what, addresses, answer, figures) => {
    const found = all(gather(fleet(answer).ask, gathering(addresses)));
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    await found;
    expect(vi.mocked(console.warn).mock.calls.map(([text]) => JSON.parse(String(text)))).toMatchObject([
      { event: 'batch_short', requestId: gathering(0).batchId, addresses, ...figures },
    ]);
  });

  it.each([
    ['something was learnt', fleet([line(0) + line(1, 'unprobed.test') + end, 'close']), gathering(2)],
    ['the caller has gone', fleet(), gathering(1, AbortSignal.abort())],
  ])('logs nothing if %s', async (_what, { ask }, batch) => {
    await all(gather(ask, batch));
    expect(console.warn).not.toHaveBeenCalled();
  });

  it('retries only the missing addresses, as a new batch, and keeps each address in its place', async () => {
    const { ask, jobs } = fleet([line(2) + line(0), 'break'], [line(0) + end, 'close']);
    const found = all(gather(ask, gathering(4)));
    await vi.advanceTimersByTimeAsync(500);
    expect(await found).toEqual([2, 0, 1]);
    expect(jobs[1]?.addresses).toEqual([
      ['a1', 'good.test'],
      ['a3', 'good.test'],
    ]);
  });

  it('adds up the hosts and jobs of all attempts', async () => {
    const last = `${JSON.stringify({ type: 'end', cause: 'done', hosts: ['fra-1', 'fra-2'], jobs: 3 } satisfies FleetLine)}\n`;
    const figures: FleetFigures = { hosts: new Set(), jobs: 0, ms: 0 };
    await all(gather(fleet([line(0) + last, 'close']).ask, { ...gathering(1), figures }));
    expect(figures).toEqual({ hosts: new Set(['fra-1', 'fra-2']), jobs: 3, ms: 0 });
  });

  it('cancels the job when its consumer stops', async () => {
    const { ask, cancelled } = fleet([line(0), 'hang']);
    for await (const news of gather(ask, gathering(2))) {
      expect(news).toHaveLength(1);
      break;
    }
    expect(cancelled()).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
