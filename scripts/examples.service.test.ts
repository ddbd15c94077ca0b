import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { customer, given } from './conformance/testing/service.ts';
import { findCommand } from './testing/find-command.ts';
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
  readonly one: string;
  readonly list: string;
  /** What it prints, read. */
  readonly read: (out: string) => readonly Line[];
};

const lineSchema = z.object({
  email: z.string(),
  status: z.string(),
  score: z.int(),
  reason: z.string().nullable(),
});

/** JSON as the service wrote it: arrays and lines, the last line with the bill apart. */
function readJson(out: string): readonly Line[] {
  return out
    .split('\n')
    .filter((text) => text !== '' && !text.startsWith('{"done"'))
    .flatMap((text) => z.union([z.array(lineSchema), lineSchema]).parse(JSON.parse(text)));
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
  const [one = '', list = ''] = ['one', 'list'].map((what) => `${language}/verify_${what}.${extension}`);
  return { language, command: command.split(' '), one, list, read };
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
    one: 'java/VerifyOne.java',
    list: 'java/VerifyList.java',
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
    test(`the examples of ${example.language}`, { meta: { needs } }, (it) => {
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
  for (const { language, one, list } of here) if (language === GO) for (const file of [one, list]) await buildGo(file);
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function buildGo(file: string): Promise<void> {
  const env = { PATH, HOME, GOPROXY: 'off', GOTOOLCHAIN: 'local' };
  await promisify(execFile)(GO, ['build', '-o', join(folder, basename(file)), join(EXAMPLES, file)], { env });
}

type Ran = { readonly code: number | null; readonly out: string; readonly err: string; readonly firstMs: number };
type Where = { readonly url: string; readonly key: string };

/** Runs one to its end. `firstMs`: how long before its end it had printed the first line. */
function run(
  example: Example,
  file: string,
  args: readonly string[],
  { input = '', where = given() }: { input?: string; where?: Where } = {},
): Promise<Ran> {
  const program = example.language === GO ? [join(folder, basename(file))] : [...example.command, join(EXAMPLES, file)];
  const [command = '', ...first] = program;
  return new Promise((done, failed) => {
    const child = spawn(command, [...first, ...args], {
      cwd: folder,
      env: { PATH, HOME, RCPT_URL: where.url, RCPT_API_KEY: where.key },
      timeout: WITHIN_MS,
    });
    let out = '';
    let err = '';
    let heardMs = Infinity;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.includes('\n')) heardMs = Math.min(heardMs, performance.now());
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.on('error', failed);
    child.on('close', (code) => done({ code, out, err, firstMs: performance.now() - heardMs }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
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
const SLOW = { email: 'anyone@dns-silent.test', status: 'unknown', score: 30, reason: 'mx_unresolved' };

test('each language has the same two examples', async () => {
  for (const example of ALL) {
    const files = [example.one, example.list].map((file) => file.split('/')[1]);
    expect(new Set(await readdir(join(EXAMPLES, example.language)))).toEqual(new Set(files));
  }
});

test.runIf(here.some(({ language }) => language === 'python'))(
  'the commands of the manual run as they stand',
  async () => {
    const [commands = ''] = await snippetsOf('schema/examples/README.md', 'sh');
    const { url, key } = given();
    const typed = commands.replace('https://verify.example.com', url).replace('svc_live_…', key);
    await writeFile(join(folder, 'list.txt'), `${OK.email}\n`);
    await symlink(join(EXAMPLES, 'python'), join(folder, 'python'));
    const { stdout } = await promisify(execFile)('bash', ['-euc', typed], { cwd: folder, env: { PATH, HOME } });
    expect(readText(stdout).map(({ email }) => email)).toEqual(['someone@example.com', OK.email]);
  },
);

describe.each(here)('$language', { concurrent: true, timeout: WITHIN_MS }, (example) => {
  test('verifies one address', async () => {
    const { code, out, err } = await run(example, example.one, [QUOTED.email]);
    expect({ code, err, lines: example.read(out) }).toEqual({ code: 0, err: '', lines: [QUOTED] });
  });

  test('prints the results of a list as they are known', async () => {
    const input = [SLOW, OK, QUOTED].map(({ email }) => `${email}\n`).join('');
    const { code, out, firstMs } = await run(example, example.list, [], { input });
    const lines = example.read(out);
    expect(code).toBe(0);
    expect(lines.at(-1)).toEqual(SLOW);
    expect(lines.slice(0, -1)).toEqual(expect.arrayContaining([OK, QUOTED]));
    expect(lines).toHaveLength(3);
    // The look-up of the slow one gets no answer for 5 s.
    expect(firstMs).toBeGreaterThan(2_000);
  });

  test.each(['one', 'list'] as const)('passes on what the service says of a wrong key: %s', async (which) => {
    const where = { url: given().url, key: 'svc_live_wrong' };
    const around = which === 'one' ? { where } : { where, input: `${OK.email}\n` };
    const { code, out, err } = await run(example, example[which], which === 'one' ? [OK.email] : [], around);
    expect(code).not.toBe(0);
    expect(`${out}${err}`).toContain('"code":"UNAUTHORIZED"');
  });

  test('gives up at once without credits, and says why', async () => {
    const where = { url: given().url, key: poorKey };
    const { code, out, err } = await run(example, example.list, [], { input: `${OK.email}\n`, where });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('402');
    expect(err).toContain('NO_CREDITS');
  });

  test('repeats the same request when it is refused for now, fails or is cut off, and not before it may', async () => {
    const first = `${JSON.stringify({ index: 1, ...OK })}\n`;
    const second = `${JSON.stringify({ index: 0, ...QUOTED })}\n`;
    const server = await standIn([
      (response) => answer(response, 429, '{"error":"Too many","code":"RATE_LIMITED"}', { 'retry-after': '1' }),
      (response) => answer(response, 503, '{"error":"Not now"}'),
      (response) => void response.socket?.destroy(),
      (response) => answer(response, 200, first),
      (response) => answer(response, 409, '{"error":"Still in progress"}', { 'retry-after': '1' }),
      (response) => answer(response, 200, `${first}${second}{"done":true,"charged":1,"returned":0}\n`),
    ]);
    const input = `${QUOTED.email}\n${OK.email}\n`;
    const { code, out, err } = await run(example, example.list, [], { input, where: server.where });
    server.close();
    expect([code, example.read(out), server.asked.length]).toEqual([0, [OK, QUOTED], 6]);
    const [asked = '', ...again] = server.asked.map(({ request }) => request);
    expect(asked).toMatch(/^[\w-]{16,} \{"emails":/);
    expect(new Set(again)).toEqual(new Set([asked]));
    for (const said of ['429', '503', 'cut off', '409']) expect(err).toContain(said);
    const waitedMs = (at: number): number => (server.asked[at + 1]?.atMs ?? 0) - (server.asked[at]?.atMs ?? 0);
    expect(Math.min(waitedMs(0), waitedMs(4))).toBeGreaterThanOrEqual(990);
  });
});
