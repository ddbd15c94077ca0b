import { Command } from 'commander';
import type { HostEntry } from '../../schema/admin.ts';
import { hostIdSchema } from '../../schema/enrolment.ts';
import { publicHalf } from '../../schema/jwk.ts';
import { adminApi } from './api.ts';
import { connectionOf } from './connection.ts';
import { enrolHost } from './enrol.ts';
import { print, table, when } from './print.ts';
import { checked } from './usage-error.ts';

type Write = (text: string) => void;

/** `host add|list|drain|resume|remove`. */
export function hostCommand(write: Write): Command {
  const host = new Command('host').description('probe hosts');
  host
    .command('add')
    .description('enrol a host: makes its key pair here and writes its enrolment file, readable by you alone')
    .argument('<name>', 'lower-case letters, digits and hyphens')
    .option('--out <file>', 'the enrolment file, never overwritten (default: .local/hosts/NAME.json)')
    .action(async (name: string, options: { out?: string }, command: Command) => {
      const id = checked(hostIdSchema, name, 'NAME');
      const file = options.out ?? `.local/hosts/${id}.json`;
      const enrolment = await enrolHost(await connectionOf(command), id, file);
      const { host: enrolled, origin, shards, edgeKeys } = enrolment;
      const document = { id: enrolled, file, origin, shards, publicKey: publicHalf(enrolment.privateKey), edgeKeys };
      print(command, write, document, [
        `${id} is enrolled. Its file is ${file} (mode 600): move it to the host, keep no copy.`,
      ]);
    });
  host
    .command('list')
    .description('the hosts enrolled and what the edge sees of them')
    .action(async (_options: unknown, command: Command) => {
      const listed = await adminApi(await connectionOf(command)).listHosts();
      print(command, write, listed, listed.hosts.length === 0 ? ['no hosts'] : hostLines(listed.hosts));
    });
  changeCommand(host, write, 'drain', 'give a host no new jobs; running ones finish', 'draining');
  changeCommand(host, write, 'resume', 'give a drained host jobs again', 'active');
  changeCommand(host, write, 'remove', 'shut a host out at once and withdraw its key', 'removed');
  return host;
}

function changeCommand(host: Command, write: Write, verb: string, what: string, state: HostEntry['state']): void {
  host
    .command(verb)
    .description(what)
    .argument('<host>', 'its name')
    .action(async (name: string, _options: unknown, command: Command) => {
      const id = checked(hostIdSchema, name, 'HOST');
      const api = adminApi(await connectionOf(command));
      const changed = await (state === 'removed' ? api.removeHost(id) : api.setHostState(id, state));
      print(command, write, changed, [`${changed.id} is ${changed.state}`]);
    });
}

function hostLines(hosts: readonly HostEntry[]): readonly string[] {
  return table([
    ['host', 'state', 'connected', 'healthy', 'jobs', 'enrolled'],
    ...hosts.map((host) => [
      host.id,
      host.state,
      connected(host),
      health(host),
      host.jobs === null ? '-' : String(host.jobs),
      when(host.createdAt, ''),
    ]),
  ]);
}

function health({ healthy, why }: HostEntry): string {
  if (healthy === null) return '-';
  return healthy ? 'yes' : `no: ${why ?? 'unknown'}`;
}

function connected({ instances }: HostEntry): string {
  if (instances === null) return 'unknown';
  return instances === 0 ? 'no' : `yes (${instances})`;
}
