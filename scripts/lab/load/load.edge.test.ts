import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { play } from './run.ts';
import { SCENES } from './scenes.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-load-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(['rolled', 'killed'])(
  '%s under load: one true answer for everybody, paid for exactly',
  async (name) => {
    const scene = SCENES[name];
    if (scene === undefined) throw new Error(`no scene ${name}`);
    const seed = randomInt(999_999);
    const report = await play(scene, { kills: 5, seed }, join(folder, name));
    expect({ seed, ...report }).toMatchObject({ seed, faults: [] });
    expect(report.answered).toBeGreaterThan(0);
    expect(report.books.exact).toBeGreaterThan(0);
  },
  180_000,
);
