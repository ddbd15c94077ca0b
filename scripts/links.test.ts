import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '..');
const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?/g;
const SCRIPT = /`npm run (?:-s )?([\w:-]+)|^ {4,}npm run (?:-s )?([\w:-]+)/gm;

const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(ROOT, file)))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsIn(text: string): readonly string[] {
  return [...text.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link of every document leads to a file, and to a heading in it', () => {
  const links = documents.flatMap(({ file, text }) =>
    [...text.matchAll(LINK)].map(([, to = '', anchor]) => ({ file, to, anchor })),
  );
  const isBroken = ({ file, to, anchor }: (typeof links)[number]): boolean => {
    const path = to === '' ? file : join(dirname(file), to);
    if (!existsSync(join(ROOT, path))) return true;
    return anchor !== undefined && !anchorsIn(readFileSync(join(ROOT, path), 'utf8')).includes(anchor);
  };
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter(isBroken)).toEqual([]);
});

test('every npm script that a document names exists', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const named = documents.flatMap(({ file, text }) =>
    [...text.matchAll(SCRIPT)].map(([, quoted, typed]) => ({ file, name: quoted ?? typed ?? '' })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([]);
});
