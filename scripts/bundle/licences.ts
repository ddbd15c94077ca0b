import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;
/** Packages that name their licence and leave out its text, and where the same text is. */
const TEXT_ELSEWHERE: Readonly<Record<string, string>> = { 'drizzle-orm': 'typescript' };
const LINE = '-'.repeat(80);

/** The licences of the libraries in a bundle. @param inputs the files that it is made of */
export async function licencesOf(inputs: readonly string[]): Promise<string> {
  const packages = new Set(inputs.flatMap((path) => PACKAGE.exec(path)?.[1] ?? []));
  return (await Promise.all([...packages].toSorted().map(noticeOf))).join(`\n${LINE}\n\n`);
}

/** @throws if a library has no licence text that could go along */
async function noticeOf(name: string): Promise<string> {
  const folder = join(import.meta.dirname, '../../node_modules', TEXT_ELSEWHERE[name] ?? name);
  for (const file of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE'])
    try {
      return `${name}\n\n${await readFile(join(folder, file), 'utf8')}`;
    } catch {
      // The next name, then.
    }
  throw new Error(`${name} has no file with its licence.`);
}
