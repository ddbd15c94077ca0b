import { Agent, request } from 'node:http';

// Calls at the Worker of the bench: as fast as they are answered, or so many a second whether they are or not.

export type Asked = {
  readonly status: number;
  readonly ms: number;
  /** The header of the answer, in seconds; null without one. */
  readonly retryAfterS: number | null;
};

/** One call; `n` counts them. */
export type Send = (n: number) => Promise<Asked>;

const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });

/** @param key of the API; null for what needs none */
export function post(url: URL, key: string | null, body = ''): Promise<Asked> {
  const began = performance.now();
  const headers = {
    'content-length': Buffer.byteLength(body),
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method: 'POST', headers }, (answer) => {
      answer.resume();
      const retryAfterS = Number(answer.headers['retry-after'] ?? Number.NaN);
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          ms: performance.now() - began,
          retryAfterS: Number.isNaN(retryAfterS) ? null : retryAfterS,
        }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** Calls by so many lanes, each as soon as its last one is answered. */
export async function asFastAsTheyAre(lanes: number, seconds: number, send: Send): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const until = performance.now() + seconds * 1_000;
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < until) asked.push(await send(sent++));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return asked;
}

/** So many calls a second, each at its time. */
export async function atRate(perSecond: number, seconds: number, send: Send): Promise<readonly Asked[]> {
  const began = performance.now();
  const calls: Promise<Asked>[] = [];
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const waitMs = began + (n * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((wake) => setTimeout(wake, waitMs));
    calls.push(send(n));
  }
  return Promise.all(calls);
}

/** Of their times, in milliseconds: the one that `part` of them do not pass. */
export function timeOf(asked: readonly Asked[], part: number): string {
  const times = asked.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return `${(times[Math.max(0, Math.ceil(part * times.length) - 1)] ?? Number.NaN).toFixed(1)} ms`;
}

export function stopCalling(): void {
  agent.destroy();
}
