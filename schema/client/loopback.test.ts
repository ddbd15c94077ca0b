import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { Rcpt } from './rcpt.ts';
import { addresses, collect, resultOf } from './testing/scripted-service.ts';

// The client on a real fetch and real sockets: a service that dies and comes back.

let service: LoopbackService | null = null;
afterEach(() => service?.stop());

/** Answers in lines, a few at a time, and counts how often it was asked for each address. */
class LoopbackService {
  readonly asked = new Map<string, number>();
  /** Addresses of the answers under way. */
  underWay = 0;
  requests = 0;
  #server: Server | null = null;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => void this.#answer(body, response));
    });
    await new Promise<void>((ready) => server.listen(this.#port, '127.0.0.1', ready));
    const address = server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
    this.#server = server;
  }

  /** Every connection is reset, and new ones are refused. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    server?.closeAllConnections();
    await new Promise((closed) => (server === null ? closed(null) : server.close(closed)));
  }

  async #answer(body: string, response: ServerResponse): Promise<void> {
    const { emails }: { emails: string[] } = JSON.parse(body);
    this.requests += 1;
    this.underWay += emails.length;
    response.on('close', () => (this.underWay -= emails.length));
    for (const email of emails) this.asked.set(email, (this.asked.get(email) ?? 0) + 1);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    for (const [index, email] of emails.entries()) {
      response.write(`${JSON.stringify({ index, ...resultOf(email) })}\n`);
      if (index % 50 === 0) await new Promise((wake) => setTimeout(wake, 1));
      if (response.destroyed) return;
    }
    response.end(`{"done":true,"charged":${emails.length},"returned":0}\n`);
  }
}

// Its pauses are real ones.
test('a service that is killed and started again in the middle is asked again for what was in flight alone', async () => {
  service = new LoopbackService();
  await service.start();
  const list = addresses(6_000);
  const client = new Rcpt({ apiKey: 'svc_live_x', baseURL: service.url, maxRetries: 20 });
  const run = client.verifyAll(list, { inFlight: 3 });
  const got: number[] = [];
  let lost = 0;
  for await (const { index } of run) {
    got.push(index);
    if (got.length !== 1_000 && got.length !== 3_000) continue;
    lost += service.underWay;
    await service.stop();
    setTimeout(() => void service?.start(), 50);
  }
  expect(got.toSorted((a, b) => a - b)).toEqual([...list.keys()]);
  const asked = [...service.asked.values()].reduce((sum, times) => sum + times, 0);
  expect(lost).toBeGreaterThan(0);
  expect(asked - list.length).toBeLessThanOrEqual(lost);
  expect(run.tally.unsure).toBeLessThanOrEqual(lost);
  expect(run.tally.charged + run.tally.unsure).toBeGreaterThanOrEqual(list.length);
}, 30_000);

test('a service that is not there is tried again and then told so, at no cost', async () => {
  // A port that the system gives to nobody: one that was free a moment ago may be another test's.
  const client = new Rcpt({ apiKey: 'svc_live_x', baseURL: 'http://127.0.0.1:2', maxRetries: 1 });
  const run = client.verifyAll(['a@x.test']);
  expect(await collect(run)).toMatchObject({ got: [], error: { code: 'CONNECTION', status: null } });
  expect(run.tally).toMatchObject({ requests: 2, unsure: 0 });
});

test('leaving the loop ends the connections', async () => {
  service = new LoopbackService();
  await service.start();
  const client = new Rcpt({ apiKey: 'svc_live_x', baseURL: service.url });
  for await (const { index } of client.verifyAll(addresses(5_000))) if (index >= 0) break;
  await expect.poll(() => service?.underWay).toBe(0);
  const { requests } = service;
  await new Promise((wake) => setTimeout(wake, 30));
  expect(service.requests).toBe(requests);
});
