import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { HostEntry, Overview } from '../../../schema/admin.ts';

// What the stub tells operators: enough of everything that each of their views has something to show.

const AT = '2026-11-21T10:00:00Z';

const PROCESS = {
  version: '0.1.0',
  egress: ['192.0.2.10'],
  startedAt: AT,
  seenAt: AT,
  draining: false,
  healthy: true,
  reachedAt: AT,
  cooling: 0,
  refusals: [],
};

const HOSTS: readonly HostEntry[] = [
  {
    id: 'fra-1',
    state: 'active',
    createdAt: AT,
    instances: 1,
    healthy: true,
    why: null,
    jobs: 12,
    processes: [
      {
        ...PROCESS,
        jobs: 12,
        refusals: [{ provider: 'yahoo', egress: 0 }],
      },
    ],
    lastSeen: AT,
    lastRefusal: null,
    starts: [],
  },
  {
    id: 'fra-2',
    state: 'draining',
    createdAt: AT,
    instances: 1,
    healthy: false,
    why: 'No canary of its list greeted it on port 25',
    jobs: 0,
    processes: [{ ...PROCESS, healthy: false, jobs: 0 }],
    lastSeen: AT,
    lastRefusal: null,
    starts: [],
  },
];

const minute = (n: number): Record<string, number> => ({
  calls: 40 + (n % 7) * 6,
  addresses: 900 + (n % 5) * 210,
  ms_200: 22,
  ms_500: 12 + (n % 7) * 5,
  ms_5000: 6 + (n % 7),
  status_valid: 560,
  status_risky: 140,
  status_invalid: 160,
  status_unknown: 40 + (n % 5) * 210,
  reason_none: 640,
  reason_accept_all: 120,
  reason_greylisting: 44,
  reason_timeout: 31,
  ...(n === 12 || n === 13 ? { faults: 9, fault_database: 9 } : {}),
});
const OVERVIEW: Overview = {
  minutes: Array.from({ length: 60 }, (_, n) => minute(n)),
  hours: Array.from({ length: 168 }, (_, n) => minute(n)),
};

/** The answer of the operator's API at a path below its root; undefined if there is none. */
export function operatorsAnswer(path: string): unknown {
  const known: Readonly<Record<string, unknown>> = {
    '/hosts': { hosts: HOSTS },
    '/overview': OVERVIEW,
  };
  return known[path];
}

/** Gives the page a key file of an operator. */
export async function useOperatorKey(page: Page): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const file = JSON.stringify({ name: 'ann', privateKey: privateKey.export({ format: 'jwk' }) });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'key.json', mimeType: 'application/json', buffer: Buffer.from(file) });
}
