import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const KEPT = new URL('./kept.ts', import.meta.url).href;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A clone with one command that says a word of another file. */
function clone(): string {
  const root = mkdtempSync(join(tmpdir(), 'rcpt-kept-'));
  folders.push(root);
  mkdirSync(join(root, 'command'));
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  say(root, 'one');
  writeFileSync(
    join(root, 'command/main.ts'),
    `import { WORD } from './word.ts';\nexport const said = (): string => WORD;\nexport const from: string = import.meta.url;\n`,
  );
  return root;
}

const say = (root: string, word: string): void =>
  writeFileSync(join(root, 'command/word.ts'), `export const WORD: string = '${word}';\n`);

/** What a process of its own says, and from which file. `laterMs`: so much later than now by its clock. */
async function run(root: string, laterMs = 60_000): Promise<{ readonly said: string; readonly bundled: boolean }> {
  const script = `const now = Date.now; Date.now = () => now() + ${laterMs};
    const { bundleOf } = await import('${KEPT}');
    const { said, from } = await import(await bundleOf('command/main.ts', ${JSON.stringify(root)}));
    process.stdout.write(JSON.stringify({ said: said(), bundled: from.endsWith('.mjs') }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: REPOSITORY,
  });
  const told: { said: string; bundled: boolean } = JSON.parse(stdout);
  return told;
}

const kept = (root: string): string => join(root, 'node_modules/.cache/bundles/command.mjs');

describe('a bundle', () => {
  it('is made with the first run, and is what the next runs', async () => {
    const root = clone();
    expect(await run(root)).toEqual({ said: 'one', bundled: true });
    const made = readFileSync(kept(root), 'utf8');
    writeFileSync(kept(root), made.replace('one', 'kept'));
    expect(await run(root)).toEqual({ said: 'kept', bundled: true });
  });

  it('is made anew once a file of it has changed, if size and time of the file are the same', async () => {
    const root = clone();
    const file = join(root, 'command/word.ts');
    utimesSync(file, 1, 1);
    await run(root);
    say(root, 'two');
    utimesSync(file, 1, 1);
    expect(await run(root)).toEqual({ said: 'two', bundled: true });
  });

  it('is made anew once something has changed of which only the value stands in it', async () => {
    const root = clone();
    const words = join(root, 'prober/engine/meaning/words');
    mkdirSync(words, { recursive: true });
    const spell = (word: string): void =>
      writeFileSync(join(words, 'english.ts'), `export const SPELT: string = '${word}';\n`);
    writeFileSync(
      join(words, 'kept-words.ts'),
      `import { SPELT } from './english.ts';\nexport const WORD: string = SPELT;\n`,
    );
    writeFileSync(
      join(root, 'command/word.ts'),
      `export { WORD } from '../prober/engine/meaning/words/kept-words.ts';\n`,
    );
    spell('one');
    expect(await run(root)).toEqual({ said: 'one', bundled: true });
    spell('two');
    expect(await run(root)).toEqual({ said: 'two', bundled: true });
  });

  it('is made anew if it is damaged', async () => {
    const root = clone();
    await run(root);
    for (const damaged of ['', '//{', '//null\nx']) {
      writeFileSync(kept(root), damaged);
      expect(await run(root)).toEqual({ said: 'one', bundled: true });
    }
  });
});

describe('the sources are run', () => {
  it('where nothing can be written', async () => {
    const root = clone();
    // No folder can be made inside a file, not even by root.
    writeFileSync(join(root, 'node_modules/.cache'), '');
    expect(await run(root)).toEqual({ said: 'one', bundled: false });
  });
});
