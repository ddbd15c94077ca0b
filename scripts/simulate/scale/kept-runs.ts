import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Scaled } from './fleet-model.ts';

// What was run so far stands beside the page that explains it: a run takes a minute, and the chart needs many.

const FILE = fileURLToPath(new URL('../../bench/scale.json', import.meta.url));

const share = z.number().min(0).max(1);
const runSchema = z.strictObject({
  hosts: z.int(),
  egress: z.int(),
  addressesPerS: z.int(),
  asked: share,
  askedOf: z.strictObject({ google: share, microsoft: share, yahoo: share, others: share }),
  waitP50S: z.number(),
  waitP99S: z.number(),
  batchP50S: z.number(),
  batches: z.int(),
  unevenness: z.number(),
});

/** Every run that was kept, in the order of its addresses a host and hosts. */
export async function keptRuns(): Promise<readonly Scaled[]> {
  return z.array(runSchema).parse(JSON.parse(await readFile(FILE, 'utf8')));
}

/** Keeps a run, in the place of an earlier one of the same plan. @returns all of them */
export async function keepRun(run: Scaled): Promise<readonly Scaled[]> {
  const others = (await keptRuns()).filter((kept) => planOf(kept) !== planOf(run));
  const all = [...others, run].toSorted((a, b) => a.egress - b.egress || a.hosts - b.hosts);
  await writeFile(FILE, `${JSON.stringify(all, null, 2)}\n`);
  return all;
}

function planOf({ hosts, egress, addressesPerS }: Scaled): string {
  return `${hosts} ${egress} ${addressesPerS}`;
}
