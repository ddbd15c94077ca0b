import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * The fenced blocks of a document, in their order, as a reader copies them.
 * @param path from the root of the repository
 */
export async function snippetsOf(path: string, language: 'sh' | 'ts' | 'jsx'): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, path), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)];
  return blocks.flatMap(([, named, block = '']) => (named === language ? [block] : []));
}
