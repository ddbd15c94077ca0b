import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type EdgeSettings, edgeSettingsSchema, type Enrolment } from '../../schema/enrolment.ts';
import { parseJson } from '../../schema/parse-json.ts';

// What a host has learnt about its edge over its links: the edge's keys and the number of its Fleet objects. It has a
// file of its own, so that the enrolment with its private key is written once and never again.

const keptSchema = edgeSettingsSchema.extend({
  v: z.literal(1),
  /** Its enrolment: another one at the same path has another key. */
  enrolment: z.string(),
  /** When it was learnt, milliseconds since 1970. */
  at: z.number(),
});

type Variables = Readonly<Record<string, string | undefined>>;

/** @returns what was stored for this enrolment after it was made; nothing if there is none */
export function readKept(enrolment: Enrolment, path: string, env: Variables): Partial<EdgeSettings> {
  let text: string;
  try {
    text = readFileSync(placeOf(enrolment, path, env), 'utf8');
  } catch {
    return {};
  }
  const kept = keptSchema.safeParse(parseJson(text));
  if (!kept.success || kept.data.enrolment !== nameOf(enrolment) || kept.data.at < (enrolment.madeAt ?? 0)) return {};
  const { shards, edgeKeys } = kept.data;
  return { shards, edgeKeys };
}

/** Stores them for the next start: completely, or not at all. @returns the code of the system's error; null: stored */
export async function keepSettings(
  enrolment: Enrolment,
  settings: EdgeSettings,
  nowMs: number,
  path: string,
  env: Variables,
): Promise<string | null> {
  const place = placeOf(enrolment, path, env);
  const fresh = `${place}.${randomBytes(4).toString('hex')}`;
  const kept = { v: 1, enrolment: nameOf(enrolment), at: nowMs, ...settings } satisfies z.infer<typeof keptSchema>;
  try {
    await writeFile(fresh, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(fresh, place);
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}

/** A systemd unit keeps its state where systemd says; any other process, beside the enrolment. */
function placeOf({ host }: Enrolment, path: string, env: Variables): string {
  const state = env['STATE_DIRECTORY'];
  return state === undefined || state === '' ? `${path}.edge` : join(state, `${host}.edge`);
}

function nameOf({ origin, privateKey }: Enrolment): string {
  return createHash('sha256').update(`${origin} ${privateKey.x}`).digest('base64url');
}
