import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The files of a running service, except the engine: its trace setting is what none of these may set. */
function serviceFiles(): string[] {
  return ['prober', 'edge', 'schema']
    .flatMap((folder) =>
      readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map((f) => `${folder}/${f}`),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('/testing/'))
    .filter((file) => !file.startsWith('prober/engine/'));
}

test('no probe host and no API call can turn on a trace', () => {
  const files = serviceFiles();
  expect(files).toEqual(
    expect.arrayContaining(['prober/main.ts', 'prober/base/config.ts', 'prober/link/verify-job.ts']),
  );
  const tracing = files.filter((file) => /\btrace\b/.test(readFileSync(`${ROOT}${file}`, 'utf8')));
  expect(tracing).toEqual([]);
});

test('the engine does not trace by default', () => {
  const settings = readFileSync(`${ROOT}prober/engine/ports/settings.ts`, 'utf8');
  const defaults = settings.slice(settings.indexOf('export const DEFAULTS'));
  expect(defaults.slice(defaults.indexOf('= {'))).not.toContain('trace');
});
