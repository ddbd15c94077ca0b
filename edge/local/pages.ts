import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildDashboard } from '../dashboard/build.ts';

// The pages as served: built, with the headers that browsers enforce, which Cloudflare reads from the file `_headers`
// among them. Files under `/assets/` never reach the Worker; the page itself does, through `edge/dashboard-page.ts`.

/**
 * Only scripts and styles from our own files, and calls to our own origin: nothing inline, no frames, no other site.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/*': {
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
  },
  // Their names change with their contents. No longer than a day: a missing file is cached as well.
  '/assets/*': { 'cache-control': 'public, max-age=86400, immutable' },
};

/** Builds the pages into a folder, which is emptied first. */
export async function buildPages(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await buildDashboard(folder);
  const rules = Object.entries(HEADERS).map(([path, headers]) =>
    [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
  );
  await writeFile(join(folder, '_headers'), `${rules.join('\n\n')}\n`);
}
