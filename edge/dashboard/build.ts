import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Builds the pages into a folder that is there. */
export async function buildDashboard(outDir: string): Promise<void> {
  await writeFile(join(outDir, 'index.html'), '<!doctype html><html lang="en"><title>rcpt</title><p>rcpt</p></html>\n');
}
