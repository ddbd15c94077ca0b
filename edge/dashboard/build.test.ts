import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDashboard } from './build.ts';

/** Of script and style that the first page needs, compressed. */
const FIRST_PAGE_BYTES_MAX = 30 * 1_024;

let folder: string;
let html: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-pages-'));
  await buildDashboard(folder);
  html = await readFile(join(folder, 'index.html'), 'utf8');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('keeps the first page small', async () => {
  const needed = [...html.matchAll(/"\/assets\/([^"]+\.(?:js|css))"/g)].map(([, name = '']) => name);
  expect(needed.length).toBeGreaterThan(3);
  const sizes = await Promise.all(
    needed.map(async (name) => gzipSync(await readFile(join(folder, 'assets', name))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_PAGE_BYTES_MAX);
});

it('names every asset by its content hash, and inlines nothing', async () => {
  const names = await readdir(join(folder, 'assets'));
  expect(names.filter((name) => !/-[A-Z0-9]{8}\.(?:js|css|svg)$/.test(name))).toEqual([]);
  expect(html).not.toMatch(/<style|style=|<script(?![^>]*src)|\son\w+=|%[A-Z]+%/);
});

it('sends nothing of the Worker to the browser: of the API it knows the types alone', async () => {
  const names = await readdir(join(folder, 'assets'));
  const scripts = await Promise.all(names.map((name) => readFile(join(folder, 'assets', name), 'utf8')));
  expect(scripts.filter((text) => /ZodError|drizzle|hono/.test(text))).toEqual([]);
});
