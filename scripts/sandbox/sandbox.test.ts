import { Resolver } from 'node:dns/promises';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from './sandbox.ts';

// The sandbox through nothing of ours: Node's resolver and bare sockets.

let sandbox: Sandbox;
let resolver: Resolver;
let port: number;

beforeAll(async () => {
  sandbox = await startSandbox();
  resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([sandbox.stubs[0]?.split('=')[1] ?? '']);
  port = Number(sandbox.routes[0]?.split('=')[1]);
});
afterAll(() => sandbox.close());

async function ask(question: Promise<unknown>): Promise<unknown> {
  try {
    return await question;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

/** Says each line when the last reply is there; returns everything heard until the end or `SILENT`. */
async function converse(host: string, lines: readonly string[]): Promise<string> {
  const [ip] = await resolver.resolve4(host);
  return new Promise((resolve) => {
    const socket = net.connect(port, ip);
    const left = [...lines];
    let heard = '';
    const end = (word: string): void => {
      socket.destroy();
      resolve(heard + word);
    };
    socket.setTimeout(500, () => end('SILENT'));
    socket.on('error', (error) => end('code' in error ? String(error.code) : 'ERROR'));
    socket.on('end', () => end('CLOSED'));
    socket.on('data', (bytes) => {
      heard = (heard + bytes.toString()).slice(0, 2_000);
      if (heard.length === 2_000) return end('ENDLESS');
      if (!/(^|\n)\d{3} [^\n]*\n$/.test(heard)) return;
      const next = left.shift();
      if (next === undefined) return end('');
      socket.write(`${next}\r\n`);
    });
  });
}

const HELLO = ['EHLO probe.test', 'MAIL FROM:<probe@probe.test>'];

describe('DNS', () => {
  test.each([
    ['null-mx.test', [{ exchange: '', priority: 0 }]],
    ['deliverable.test', [{ exchange: 'mx.deliverable.test', priority: 10 }]],
    ['nxdomain.test', 'ENOTFOUND'],
    ['no-records.test', 'ENODATA'],
    ['servfail.test', 'ESERVFAIL'],
    ['dns-refused.test', 'EREFUSED'],
    ['dns-silent.test', 'ETIMEOUT'],
  ])('MX of %s', async (name, answer) => {
    const got = await ask(resolver.resolveMx(name));
    expect(got).toEqual(typeof answer === 'string' ? answer : answer.map((mx) => expect.objectContaining(mx)));
  });

  test.each([
    ['mx.private-mx.test', ['10.53.0.1']],
    ['mx.mx-servfail.test', 'ESERVFAIL'],
    ['mx1.mx-missing.test', 'ENOTFOUND'],
  ])('address of %s', async (name, answer) => {
    expect(await ask(resolver.resolve4(name))).toEqual(answer);
  });

  test('a server that makes probers keep away has another address each time', async () => {
    const [{ exchange } = { exchange: '' }] = await resolver.resolveMx('greeting-421.test');
    const addresses = await Promise.all([1, 2].map(() => resolver.resolve4(exchange)));
    expect(new Set(addresses.flat()).size).toBe(2);
  });

  test.each([
    ['blocks probing', 'blocks-probe-test.sandbox.olc.protection.outlook.com'],
    ['accepts everyone', 'mta.sandbox.yahoodns.net'],
  ])('the MX name of the provider that %s leads to a server of ours', async (_what, name) => {
    const [ip] = await resolver.resolve4(name);
    expect(ip).toMatch(/^127\.53\.\d+\.\d+$/);
  });
});

describe('mail servers', () => {
  test('refuse mailboxes by name', async () => {
    const rcpts = ['ok', 'full', 'zoe'].map((local) => `RCPT TO:<${local}@deliverable.test>`);
    const heard = await converse('mx.deliverable.test', [...HELLO, ...rcpts]);
    expect(heard).toMatch(/250 Accepted\r\n452 4\.2\.2 [^\r]*\r\n550 5\.1\.1 [^\r]*\r\n$/);
  });

  test.each([
    ['mx.greeting-554.test', /^554 /],
    ['mx.silent.test', /^SILENT$/],
    ['mx.hangs-up.test', /^CLOSED$/],
    ['mx.resets.test', /^ECONNRESET$/],
    ['mx.unconnectable.test', /^SILENT$/],
    ['mx.ehlo-rejected.test', /\r\n550 Your HELO/],
    ['mx.endless.test', /a{1000}ENDLESS$/],
    ['mx.slow-mail.test', /SILENT$/],
  ])('%s misbehaves as planned', async (host, heard) => {
    expect(await converse(host, HELLO)).toMatch(heard);
  });

  test('nobody listens at a closed address', async () => {
    expect(await converse('mx.refused.test', [])).toBe('ECONNREFUSED');
  });
});

test('two sandboxes run side by side', async () => {
  const second = await startSandbox();
  expect(second.routes).not.toEqual(sandbox.routes);
  await second.close();
});
