import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The file that a local service keeps its D1 in. @throws Error if there is not exactly one */
export function findD1(state: string): string {
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.includes('D1DatabaseObject') && name.endsWith('.sqlite') && !name.endsWith('metadata.sqlite'),
  );
  const [file] = files;
  if (file === undefined || files.length > 1) throw new Error(`${state} has ${files.length} databases`);
  return join(state, file);
}
