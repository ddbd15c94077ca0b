import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { bundle } from './build.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('`npm run probe` reports the signals of its lists for an address', async () => {
  const args = ['--dns', '127.0.0.1:9', 'a@hotmial.fr', 'a@x.mailinator.com', 'info@acme.test', 'a@dynv6.net'];
  // Nobody answers: exit code 1.
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/probe.ts'), ...args]).catch(
    (error: { readonly stdout: string }) => error,
  );
  const told = stdout
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
    .map(({ email, disposable, role_based: role, did_you_mean: meant }) => [String(email), [disposable, role, meant]]);
  expect(Object.fromEntries(told)).toEqual({
    'a@dynv6.net': [false, false, null],
    'a@hotmial.fr': [false, false, 'a@hotmail.fr'],
    'a@x.mailinator.com': [true, false, null],
    'info@acme.test': [false, true, null],
  });
});

it('`npm run probe` starts without what checks frames', async () => {
  const { inputs } = await bundle(
    ROOT,
    'scripts/probe/main.ts',
    join(ROOT, 'node_modules/.cache/bundles/unwritten.mjs'),
  );
  expect(inputs.filter((path) => path.includes('node_modules/zod/'))).toEqual([]);
});
