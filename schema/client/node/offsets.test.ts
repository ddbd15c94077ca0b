import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Offsets } from './offsets.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-offsets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('places far apart keep their last offset, though few pages of them are in memory, and no file is left', async () => {
  const offsets = new Offsets(join(folder, 'index'));
  const places = Array.from({ length: 150 }, (_, n) => n * 8_192 + n);
  for (const place of places) offsets.set(place, 1);
  for (const place of places) offsets.set(place, place * 1_000);
  expect(places.filter((place) => offsets.get(place) !== place * 1_000)).toEqual([]);
  expect([offsets.get(1), offsets.get(8_192), offsets.get(9_000_000)]).toEqual([null, null, null]);
  expect(offsets.get(0)).toBe(0);
  offsets.close();
  expect(await readdir(folder)).toEqual([]);
});
