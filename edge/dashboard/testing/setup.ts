import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildDashboard } from '../build.ts';
import { CHROMIUM, HAS_BROWSER } from './browser.ts';

/** Before the browser tests: the pages are built, once. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!HAS_BROWSER) {
    if (process.env['CI'] !== undefined) throw new Error(`${CHROMIUM} is missing: .ci/run installs it.`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'rcpt-pages-'));
  await buildDashboard(folder);
  project.provide('pages', folder);
  return () => rm(folder, { recursive: true, force: true });
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built pages. */
    readonly pages: string;
  }
}
