import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

const HERE = join(import.meta.dirname, '..');
const run = promisify(execFile);
const packedSchema = z.tuple([
  z.object({ filename: z.string(), size: z.int(), files: z.array(z.object({ path: z.string() })) }),
]);

export type Packed = z.infer<typeof packedSchema>[0];

/** Builds the command, packs it, and installs it in the folder `customer`, without a network and without this repository. */
export async function installCommand(folder: string): Promise<Packed> {
  const source = join(folder, 'source');
  const customer = join(folder, 'customer');
  await mkdir(source);
  await mkdir(customer);
  await run(process.execPath, [join(HERE, 'build.ts'), join(source, 'dist')]);
  for (const file of ['package.json', 'README.md', 'LICENSE']) await cp(join(HERE, file), join(source, file));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', customer], { cwd: source });
  const [packed] = packedSchema.parse(JSON.parse(stdout));
  await rm(source, { recursive: true });
  await writeFile(join(customer, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed.filename], { cwd: customer });
  return packed;
}

/** The script that the installed command starts. */
export function scriptOf(folder: string): string {
  return join(folder, 'customer/node_modules/@rcpt/command/dist/rcpt.js');
}
