import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeApi } from '../../schema/openapi/document.ts';
import { TERMS } from '../../schema/testing/openapi/terms.ts';

// Clients that others generate from the OpenAPI document: what a customer writes at first sight compiles, strictly. The
// generators want an older TypeScript than this project's, so they are installed in a folder of their own.

const HERE = import.meta.dirname;
const IN_CI = process.env['CI'] !== undefined;
const run = promisify(execFile);

let folder: string;
/** Why the generators are not there; null if they are. */
let missing: string | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-generated-'));
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    await copyFile(join(HERE, file), join(folder, file));
  const install = run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  missing = await install.then(
    () => null,
    (error: unknown) => String(error),
  );
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs one of the folder's programs. @returns what it said, whether or not it was content */
async function program(
  name: string,
  ...args: readonly string[]
): Promise<{ readonly out: string; readonly ok: boolean }> {
  try {
    const { stdout } = await run(process.execPath, [join(folder, 'node_modules', name), ...args], { cwd: folder });
    return { out: stdout, ok: true };
  } catch (error) {
    const out = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    return { out, ok: false };
  }
}

/** Compiles files strictly, declarations too. @returns what the compiler says against each */
async function compile(sources: Readonly<Record<string, string>>): Promise<Partial<Record<string, string[]>>> {
  const files = Object.keys(sources);
  for (const [file, source] of Object.entries(sources)) await writeFile(join(folder, file), source);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { out } = await program('typescript/bin/tsc', '-p', folder);
  const lines = out.split('\n').filter((line) => line !== '');
  return { ...Object.groupBy(lines, (line) => files.find((file) => line.startsWith(file)) ?? 'elsewhere') };
}

const OPENAPI_FETCH = `
  import createClient from 'openapi-fetch';
  import type { components, paths } from './schema';

  type Result = components['schemas']['VerificationResult'];
  const client = createClient<paths>({ baseUrl: 'https://verify.example.com', headers: { Authorization: 'Bearer x' } });

  export async function verify(emails: string[]): Promise<Result[]> {
    const { data, error, response } = await client.POST('/api/v1/verify', { body: { emails } });
    if (error) throw new Error(response.status + ' ' + (error.code ?? '') + ': ' + error.error);
    const good: Result[] = [];
    for (const result of data) {
      if (!('status' in result)) continue;
      if (result.status === 'valid' && result.score > 80 && result.reason === null) good.push(result);
    }
    return good;
  }

  // Who asks for the array alone has it alone.
  const plain = createClient<paths, 'application/json'>({ baseUrl: 'https://verify.example.com' });
  export async function first(email: string): Promise<Result['status'] | 'not text'> {
    const { data, error } = await plain.POST('/api/v1/verify', { body: { emails: [email] } });
    if (error) throw new Error(error.code === 'NO_CREDITS' ? 'buy credits' : error.error);
    const [result] = data;
    return result === undefined || 'error' in result ? 'not text' : result.status;
  }

  export async function credits(): Promise<number> {
    const { data, error } = await client.GET('/api/v1/credits');
    if (error) throw new Error(error.error);
    return data.credits;
  }
`;

const HEY_API = `
  import { client } from './client/client.gen';
  import { readCredits, verify as post } from './client/sdk.gen';
  import type { ErrorBody, VerificationResult } from './client/types.gen';

  client.setConfig({ baseUrl: 'https://verify.example.com', auth: 'svc_live_x' });

  export async function verify(emails: string[]): Promise<VerificationResult[]> {
    const { data, error, response } = await post({ body: { emails } });
    if (error) throw new Error(response?.status + ' ' + (error.code ?? '') + ': ' + error.error);
    const good: VerificationResult[] = [];
    for (const result of data) {
      if ('error' in result) continue;
      if (result.status === 'valid' && result.score > 80 && result.reason === null) good.push(result);
    }
    return good;
  }

  export async function credits(): Promise<number> {
    const { data } = await readCredits({ throwOnError: true });
    return data.credits;
  }

  export function isTemporary({ code }: ErrorBody): boolean {
    return code === undefined || code === 'RATE_LIMITED' || code === 'INTERNAL_ERROR';
  }
`;

const GENERATORS = [
  {
    name: 'openapi-typescript and openapi-fetch',
    command: ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.d.ts'],
    source: OPENAPI_FETCH,
  },
  {
    name: 'hey-api',
    command: ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'client', '--silent'],
    source: HEY_API,
  },
] as const;

test.for(GENERATORS)('$name compiles naive code', { timeout: 120_000 }, async ({ command, source }, context) => {
  context.skip(missing !== null && !IN_CI, `the generators of clients, which could not be installed: ${missing}`);
  expect(missing).toBe(null);
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(describeApi(TERMS)));
  const [file, ...args] = command;
  expect(await program(file, ...args)).toMatchObject({ ok: true });
  const said = await compile({ 'use.ts': source, 'wrong.ts': source.replace("'valid'", "'sound'") });
  // The compiler looks: the wrong one alone is wrong, in that place alone.
  expect(said).toEqual({ 'wrong.ts': [expect.stringContaining('"sound"')] });
});
