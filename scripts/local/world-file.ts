import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../schema/parse-json.ts';
import { writeStateFile } from './state-file.ts';

// Name servers and routes of a service on this machine, some sixty of them: for `probe`, which asks the same servers.

const NAME = 'world.json';
const LISTS = ['dns', 'stub', 'route'] as const;
const listSchema = z.array(z.string());
const worldSchema = z.object({ dns: listSchema, stub: listSchema, route: listSchema });
type World = Readonly<Record<(typeof LISTS)[number], readonly string[]>>;

/** @throws StartError if it cannot be written */
export function writeWorld(folder: string, { dns, stub, route }: World): Promise<void> {
  return writeStateFile(join(folder, NAME), { dns, stub, route });
}

/** @returns the options of `probe` that stand for it; null if no service was started with this folder */
export async function worldOptions(folder: string): Promise<readonly string[] | null> {
  const text = await readFile(join(folder, NAME), 'utf8').catch(() => '');
  const world = worldSchema.safeParse(parseJson(text));
  if (!world.success) return null;
  return LISTS.flatMap((list) => world.data[list].flatMap((item) => [`--${list}`, item]));
}
