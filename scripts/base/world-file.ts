import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../schema/parse-json.ts';

// Name servers and routes of a service on this machine, some sixty of them, which `npm start` writes into its state folder:
// for `probe`, which asks the same servers.

export const WORLD_FILE = 'world.json';
const LISTS = ['dns', 'stub', 'route'] as const;
const listSchema = z.array(z.string());
const worldSchema = z.object({ dns: listSchema, stub: listSchema, route: listSchema });

/** @returns the options of `probe` that stand for it; null if no service was started with this folder */
export async function worldOptions(folder: string): Promise<readonly string[] | null> {
  const text = await readFile(join(folder, WORLD_FILE), 'utf8').catch(() => '');
  const world = worldSchema.safeParse(parseJson(text));
  if (!world.success) return null;
  return LISTS.flatMap((list) => world.data[list].flatMap((item) => [`--${list}`, item]));
}
