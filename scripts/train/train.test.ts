import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWeights } from '../../prober/engine/meaning/model/model.ts';
import type { Case } from './corpus.ts';
import { judgeAlone, leaveFamiliesOut, modelOf } from './left-out.ts';
import { train, type Example } from './regression.ts';

const EXAMPLES: Example[] = ['one', 'two', 'three', 'four'].flatMap((word) => [
  { gist: ` BOX vanished ${word} . `, is: 'no_such_mailbox' },
  { gist: ` BOX bursting ${word} . `, is: 'mailbox_full' },
  { gist: ` CLIENT unloved ${word} . `, is: 'policy_rejected' },
  { gist: ` gearbox broken ${word} . `, is: 'unexpected' },
]);
const asCase = (example: Example, family: string): Case => ({ ...example, raw: '', family, allowed: [example.is] });

describe('training', () => {
  test('gives the same weights for the same examples', () => {
    expect(train(EXAMPLES)).toEqual(train(EXAMPLES));
  });

  test('learns what words stand by which class', () => {
    const model = modelOf(EXAMPLES);
    expect(model.opinion(' BOX vanished today . ').says).toBe('no_such_mailbox');
    expect(model.opinion(' CLIENT unloved . ').says).toBe('policy_rejected');
  });

  test('judges a family by a model that never saw it', () => {
    const odd: Example = { gist: ' parrot pining . ', is: 'no_such_mailbox' };
    const cases = [...EXAMPLES.map((one) => asCase(one, 'plain')), asCase(odd, 'parrots'), asCase(odd, 'parrots')];
    const parrots = leaveFamiliesOut(cases, ['plain']);
    expect(parrots).toHaveLength(2);
    const seen = modelOf(cases).opinion(odd.gist).probability;
    expect(parrots.every(({ one, model }) => model.opinion(one.gist).probability < seen)).toBe(true);
    expect(judgeAlone(leaveFamiliesOut(EXAMPLES.map((one, i) => asCase(one, String(i % 5))))).falseDead).toBe(0);
  });
});

const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, '../train.ts'), ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });

describe('npm run train', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'train-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });
  test('writes weights that read as such, the same twice', async () => {
    const [first, second] = [join(folder, 'a.json'), join(folder, 'b.json')];
    const { code, stdout } = await run('--out', first);
    expect(code).toBe(0);
    expect(stdout).toContain('trained on');
    await run('--out', second);
    const text = await readFile(first, 'utf8');
    expect(isWeights(JSON.parse(text))).toBe(true);
    expect(await readFile(second, 'utf8')).toBe(text);
  }, 60_000);

  test('ends with 2 and says which line is wrong', async () => {
    const file = join(folder, 'bad.jsonl');
    await writeFile(file, 'not json\n');
    const { code, stderr } = await run(file, '--out', join(folder, 'none.json'));
    expect(code).toBe(2);
    expect(stderr).toContain('bad.jsonl:1: not JSON');
  });
});
