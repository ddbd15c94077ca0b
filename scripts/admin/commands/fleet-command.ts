import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { versionSchema } from '../../../schema/link.ts';
import { AdminError } from '../connection/client.ts';
import { apiOf } from '../connection/connection.ts';
import { byName } from '../output/natural-order.ts';
import { print } from '../output/print.ts';
import { wholeNumber } from '../../base/command-line.ts';
import { checked, UsageError } from '../../base/usage-error.ts';
import { inService } from '../hosts/roll.ts';
import { rollFleet } from '../hosts/roll-fleet.ts';
import { overSsh, readDestination } from '../hosts/ssh.ts';

const WATCH_S = 30;
type Options = {
  readonly ssh: string;
  readonly artefact?: string;
  readonly only?: readonly string[];
  readonly watch: number;
};

/** `fleet roll`. */
export function fleetCommand(write: (text: string) => void): Command {
  const fleet = new Command('fleet').description('all probe hosts at once');
  fleet
    .command('roll')
    .description('upgrade host by host over SSH; if it does not stay up on one, all that got it go back')
    .argument('<version>', 'version to run')
    .requiredOption('--ssh <destination>', 'SSH destination of each host, as in root@{host}.example.com')
    .option('--artefact <file>', 'archive from build:prober, to install on hosts that lack the version')
    .option('--only <host...>', 'only these hosts')
    .option(
      '--watch <seconds>',
      'how long it must stay up before the old one is stopped',
      wholeNumber(1, 3_600),
      WATCH_S,
    )
    .action(async (text: string, { ssh, artefact, only = [], watch }: Options, command: Command) => {
      const version = checked(versionSchema, text, 'VERSION');
      const machineOf = readDestination(ssh);
      if (artefact !== undefined && statSync(artefact, { throwIfNoEntry: false })?.isFile() !== true)
        throw new UsageError(`--artefact: there is no file ${artefact}: build it with npm run -s build:prober`);
      const api = await apiOf(command);
      const listHosts = async () => (await api.listHosts()).hosts;
      const known = inService(await listHosts());
      const strange = only.filter((id) => known.every((host) => host.id !== id));
      if (strange.length > 0) throw new UsageError(`--only: there is no host ${strange.join(', ')}`);
      const hosts = known.filter(({ id }) => only.length === 0 || only.includes(id)).toSorted(byName);
      const say = (line: string): void => {
        if (command.optsWithGlobals()['json'] !== true) write(`${line}\n`);
      };
      const world = { onMachine: overSsh, listHosts, say, now: () => performance.now(), sleep };
      const onInterrupt = (): void => {
        write(
          'Interrupted. The host that was being rolled serves, perhaps with both versions: repeat the command to go on.\n',
        );
        process.exit(130);
      };
      process.once('SIGINT', onInterrupt);
      const rolled = await rollFleet(
        world,
        { version, artefact: artefact ?? null, machineOf, watchMs: watch * 1000 },
        hosts,
      ).finally(() => process.off('SIGINT', onInterrupt));
      if (rolled.kind === 'halted') throw new AdminError(`${rolled.why}. Stopped; no further host was touched.`, null);
      print(command, write, { version, hosts: rolled.hosts }, [
        `${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'} done`,
      ]);
    });
  return fleet;
}
