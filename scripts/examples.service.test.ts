import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { customer, given } from './conformance/testing/service.ts';
import { findCommand } from './testing/find-command.ts';
import { type Ended, runToEnd } from './testing/run-node.ts';
import { snippetsOf } from './testing/snippets.ts';

// The examples for customers, as they stand, against the running service; what it does not do at will
// (to be busy, to break off) is done by a server in its place.

const EXAMPLES = join(import.meta.dirname, '../schema/examples');
const IN_CI = process.env['CI'] !== undefined;
const WITHIN_MS = 120_000;
/** A newer one compiles its standard library first: once, and not for each test at the same time. */
const GO = 'go';

type Line = { readonly email: string; readonly status: string; readonly score: number; readonly reason: string | null };
type Example = {
  readonly language: string;
  readonly command: readonly string[];
  readonly file: string;
  /** What it prints, read. */
  readonly read: (out: string) => readonly Line[];
};

const lineSchema = z.object({
  email: z.string(),
  status: z.string(),
  score: z.int(),
  reason: z.string().nullable(),
});

/** Arrays as the service wrote them. */
function readJson(out: string): readonly Line[] {
  return out
    .split('\n')
    .filter((text) => text !== '')
    .flatMap((text) => z.array(lineSchema).parse(JSON.parse(text)));
}

/** `email status score reason` */
function readText(out: string): readonly Line[] {
  return out
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => {
      const [, email = '', status = '', score = '', reason = ''] = /^(.*) (\w+) (\d+) ([\w-]+)$/.exec(text) ?? [];
      return { email, status, score: Number(score), reason: reason === '-' ? null : reason };
    });
}

function script(language: string, command: string, extension: string, read = readText): Example {
  return { language, command: command.split(' '), file: `${language}/verify.${extension}`, read };
}

const ALL: readonly Example[] = [
  script('curl', 'bash', 'sh', readJson),
  script('python', 'python3', 'py'),
  script('go', GO, 'go'),
  script('php', 'php', 'php'),
  script('ruby', 'ruby', 'rb'),
  {
    language: 'java',
    // Starts and compiles in half the time.
    command: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
    file: 'java/Verify.java',
    read: readJson,
  },
];

/** What must be installed for an example. */
function programsOf({ language, command }: Example): readonly string[] {
  return [...command.slice(0, 1), ...(language === 'curl' ? ['curl'] : [])];
}

const missing = ALL.flatMap(programsOf).filter((name) => findCommand(name) === null);
const here = ALL.filter((example) => programsOf(example).every((name) => !missing.includes(name)));
for (const example of ALL)
  if (!here.includes(example)) {
    const needs = programsOf(example).join(' and ');
    test(`the example in ${example.language}`, { meta: { needs } }, (it) => {
      it.skip(!IN_CI);
      throw new Error(`${needs} is missing: .ci/run installs it.`);
    });
  }

const { PATH = '', HOME = '' } = process.env;
let folder: string;
let poorKey: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-examples-'));
  ({ key: poorKey } = await customer(0));
  for (const { language, file } of here) if (language === GO) await buildGo(file);
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function buildGo(file: string): Promise<void> {
  const env = { PATH, HOME, GOPROXY: 'off', GOTOOLCHAIN: 'local' };
  await promisify(execFile)(GO, ['build', '-o', join(folder, basename(file)), join(EXAMPLES, file)], { env });
}

type Where = { readonly url?: string; readonly key: string; readonly home?: string };

/** Runs one to its end. */
function run({ language, command, file }: Example, input: string, where: Where = given()): Promise<Ended> {
  const program = language === GO ? [join(folder, basename(file))] : [...command, join(EXAMPLES, file)];
  const env = { PATH, HOME: where.home ?? HOME, RCPT_URL: where.url, RCPT_API_KEY: where.key };
  return runToEnd(program, { cwd: folder, env, input });
}

/** A server in the service's place that answers one request after the other like this. `asked`: their keys and bodies. */
async function standIn(answers: ReadonlyArray<(response: ServerResponse) => void>) {
  const asked: { readonly request: string; readonly atMs: number }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { 'idempotency-key': key } = request.headers;
      answers[asked.push({ request: `${String(key)} ${body}`, atMs: performance.now() }) - 1]?.(response);
    });
  });
  // As a proxy on the way to a service over https, it answers before the service does.
  server.on('connect', (_request, caller) => {
    caller.write('HTTP/1.1 200 Connection established\r\nProxy-Agent: test\r\n\r\n');
    server.emit('connection', caller);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  return { asked, where: { url: `http://127.0.0.1:${port}`, key: 'svc_live_x' }, close: () => server.close() };
}

function answer(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

const OK = { email: 'ok@deliverable.test', status: 'valid', score: 95, reason: null };
/** Valid, and not a mailbox; JSON has to escape it. */
const QUOTED = { email: '"no one"@deliverable.test', status: 'invalid', score: 0, reason: null };

test.runIf(here.some(({ language }) => language === 'python'))(
  'the commands of the manual run as they stand',
  async () => {
    const [commands = ''] = await snippetsOf('schema/examples/README.md', 'sh');
    const { url, key } = given();
    const typed = commands.replace('https://verify.example.com', url).replace('svc_live_…', key);
    await writeFile(join(folder, 'list.txt'), `${OK.email}\n`);
    await symlink(join(EXAMPLES, 'python'), join(folder, 'python'));
    const { stdout } = await promisify(execFile)('bash', ['-euc', typed], { cwd: folder, env: { PATH, HOME } });
    expect(readText(stdout).map(({ email }) => email)).toEqual([OK.email]);
  },
);

describe.each(here)('$language', { concurrent: true, timeout: WITHIN_MS }, (example) => {
  test('prints the results of a list', async () => {
    const { code, out, err } = await run(example, `${QUOTED.email}\n${OK.email}\n`);
    expect({ code, err, lines: example.read(out) }).toEqual({ code: 0, err: '', lines: [QUOTED, OK] });
  });

  test('reads a list with CRLF line ends and blank lines', async () => {
    const { code, out } = await run(example, `${OK.email}\r\n\r\n${QUOTED.email}\r\n\n`);
    expect([code, example.read(out)]).toEqual([0, [OK, QUOTED]]);
  });

  test('passes on what the service says of a wrong key', async () => {
    const { code, out, err } = await run(example, `${OK.email}\n`, { url: given().url, key: 'svc_live_wrong' });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('"code":"UNAUTHORIZED"');
  });

  test.each<[string, Where, string, RegExp]>([
    ['the key', { url: 'http://127.0.0.1:1', key: '' }, 'a@b.test\n', /^Set RCPT_URL and RCPT_API_KEY\.\n$/],
    ['the service', { key: 'svc_live_x' }, 'a@b.test\n', /^Set RCPT_URL and RCPT_API_KEY\.\n$/],
    ['addresses', { url: 'http://127.0.0.1:1', key: 'svc_live_x' }, '\n \r\n\t\n', /^Usage: .* < list\.txt, .*\n$/],
  ])('without %s it says what it needs in one sentence, and asks nobody', async (_what, where, input, words) => {
    expect(await run(example, input, where)).toEqual({ code: 1, out: '', err: expect.stringMatching(words) });
  });

  test('gives up at once without credits, and says why', async () => {
    const { code, out, err } = await run(example, `${OK.email}\n`, { url: given().url, key: poorKey });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('402');
    expect(err).toContain('NO_CREDITS');
  });

  test('repeats the same request when it is refused for now, fails or is cut off, and not before it may', async () => {
    const whole = JSON.stringify([QUOTED, OK]);
    const server = await standIn([
      (response) => answer(response, 429, '{"error":"Too many","code":"RATE_LIMITED"}', { 'retry-after': '1' }),
      (response) => answer(response, 503, '{"error":"Not now"}'),
      (response) => void response.socket?.destroy(),
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
        response.write(whole.slice(0, -9), () => response.socket?.destroy());
      },
      (response) => answer(response, 409, '{"error":"Still in progress"}', { 'retry-after': '1' }),
      (response) => answer(response, 200, whole),
    ]);
    const { code, out, err } = await run(example, `${QUOTED.email}\n${OK.email}\n`, server.where);
    server.close();
    expect([code, example.read(out), server.asked.length]).toEqual([0, [QUOTED, OK], 6]);
    const [asked = '', ...again] = server.asked.map(({ request }) => request);
    expect(asked).toMatch(/^[\w-]{16,} \{"emails":/);
    expect(new Set(again)).toEqual(new Set([asked]));
    for (const said of ['429', '503', '409']) expect(err).toContain(said);
    const waitedMs = (at: number): number => (server.asked[at + 1]?.atMs ?? 0) - (server.asked[at]?.atMs ?? 0);
    expect(Math.min(waitedMs(0), waitedMs(4))).toBeGreaterThanOrEqual(990);
  });

  test('takes nothing for a result that stands before it or in its place: of a proxy, a gateway or a hotel', async () => {
    const server = await standIn([
      (response) => answer(response, 503, '{}', { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }),
      (response) => answer(response, 200, '<p>Sign in to the network. Retry-After: 9</p>', { 'x-retry-after': '9' }),
      (response) => {
        response.writeContinue();
        answer(response, 402, '{"error":"Not enough","code":"NO_CREDITS"}');
      },
    ]);
    const home = await mkdtemp(join(folder, 'home-'));
    await writeFile(join(home, '.curlrc'), `proxy = ${server.where.url}\nproxytunnel\n`);
    const { code, out, err } = await run(example, `${OK.email}\n`, { ...server.where, home });
    server.close();
    expect([code, out, server.asked.length]).toEqual([1, '', 3]);
    expect(err).toContain('NO_CREDITS');
    expect((server.asked[2]?.atMs ?? 0) - (server.asked[1]?.atMs ?? 0)).toBeLessThan(8_000);
  });
});
