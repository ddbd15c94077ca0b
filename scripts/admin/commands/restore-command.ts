import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { UsageError } from '../../base/usage-error.ts';
import { print } from '../output/print.ts';
import { type Change, compareExports } from '../restore/compare-exports.ts';

/** `restore-check`: asks no deployment, only two files. */
export function restoreCheckCommand(write: (text: string) => void): Command {
  return new Command('restore-check')
    .description('list what a restore of the database brought back or lost: keys, hosts, opt-outs, people, orders')
    .argument('<before>', 'export from before the restore, of `wrangler d1 export`')
    .argument('<after>', 'export from after it')
    .action(async (before: string, after: string, _options: unknown, command: Command) => {
      const changes = await compare(before, after);
      print(
        command,
        write,
        { changes },
        changes.length === 0 ? ['Nothing came back, and nothing was lost.'] : linesOf(changes),
      );
    });
}

async function compare(before: string, after: string): Promise<readonly Change[]> {
  const texts = await Promise.all([before, after].map((path) => readFile(path, 'utf8').catch(() => refuse(path))));
  try {
    return compareExports(texts[0] ?? '', texts[1] ?? '');
  } catch (error) {
    throw new UsageError(
      `one of the files is no export of this database (${error instanceof Error ? error.message : ''})`,
    );
  }
}

function refuse(path: string): never {
  throw new UsageError(`${path} cannot be read`);
}

function linesOf(changes: readonly Change[]): readonly string[] {
  return changes.flatMap(({ what, remedy, ids }) => [
    `${ids.length} ${what}: ${remedy}`,
    ...ids.map((id) => `  ${id}`),
  ]);
}
