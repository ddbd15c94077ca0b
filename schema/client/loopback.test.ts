import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { Rcpt } from './rcpt.ts';
import { addresses, collect, resultOf } from './testing/scripted-service.ts';

// The client on a real fetch and real sockets: a service that dies and comes back.

let service: LoopbackService | null = null;
afterEach(() => service?.stop());

/** Answers in lines, a few at a time, and counts how often it was asked for each address, and charged under each key. */
class LoopbackService {
  readonly asked = new Map<string, number>();
  /** By key: places that were written once. */
  readonly #charged = new Map<string, Set<number>>();
  /** Addresses of the answers under way. */
  underWay = 0;
  requests = 0;
  #server: Server | null = null;
  #port = 0;

  get charged(): number {
    return [...this.#charged.values()].reduce((sum, { size }) => sum + size, 0);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => void this.#answer(String(request.headers['idempotency-key']), body, response));
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

  async #answer(key: string, body: string, response: ServerResponse): Promise<void> {
    const { emails }: { emails: string[] } = JSON.parse(body);
    this.requests += 1;
    this.underWay += emails.length;
    response.on('close', () => (this.underWay -= emails.length));
    for (const email of emails) this.asked.set(email, (this.asked.get(email) ?? 0) + 1);
    const charged = this.#charged.get(key) ?? new Set<number>();
    this.#charged.set(key, charged);
    const before = charged.size;
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'idempotency-charged': String(before) });
    for (const [index, email] of emails.entries()) {
      response.write(`${JSON.stringify({ index, ...resultOf(email) })}\n`);
      charged.add(index);
      if (index % 50 === 0) await new Promise((wake) => setTimeout(wake, 1));
      if (response.destroyed) return;
    }
    response.end(`{"done":true,"charged":${emails.length - before},"returned":0}\n`);
  }
}

// Its pauses are real ones.
test('a service that is killed and started again in the middle is asked again for the same requests, and charges nothing twice', async () => {
  service = new LoopbackService();
  await service.start();
  const list = addresses(6_000);
  const client = new Rcpt({ apiKey: 'svc_live_x', baseURL: service.url, maxRetries: 20 });
  const run = client.verifyAll(list, { inFlight: 3 });
  const got: number[] = [];
  for await (const { index } of run) {
    got.push(index);
    if (got.length !== 1_000 && got.length !== 3_000) continue;
    await service.stop();
    setTimeout(() => void service?.start(), 50);
  }
  expect(got.toSorted((a, b) => a - b)).toEqual([...list.keys()]);
  expect(Math.max(...service.asked.values())).toBeGreaterThan(1);
  expect(service.charged).toBe(list.length);
  expect(run.tally).toMatchObject({ charged: list.length, unsure: 0 });
});

test('an unreachable service is retried and then reported, at no cost', async () => {
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
