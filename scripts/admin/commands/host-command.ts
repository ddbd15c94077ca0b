import { createHash, randomBytes } from 'node:crypto';
import { Command } from 'commander';
import type { HostEntry } from '../../../schema/admin.ts';
import { hostIdSchema } from '../../../schema/enrolment.ts';
import { publicHalf } from '../../../schema/jwk.ts';
import { adminApi } from '../connection/api.ts';
import { apiOf, connectionOf } from '../connection/connection.ts';
import { enrolHost } from '../hosts/enrol.ts';
import { hostLines } from '../hosts/host-lines.ts';
import { byName } from '../output/natural-order.ts';
import { print, when } from '../output/print.ts';
import { checked } from '../../base/usage-error.ts';

type Write = (text: string) => void;

/** `host add|invite|list|drain|resume|remove`. */
export function hostCommand(write: Write): Command {
  const host = new Command('host').description('probe hosts');
  host
    .command('add')
    .description('enrol a host: generates its key pair here and writes its enrolment file, readable by you only')
    .argument('<name>', 'host name: lower-case letters, digits and hyphens')
    .option('--out <file>', 'enrolment file; never overwrites (default: .local/hosts/NAME.json)')
    .action(async (name: string, options: { out?: string }, command: Command) => {
      const id = checked(hostIdSchema, name, 'NAME');
      const file = options.out ?? `.local/hosts/${id}.json`;
      const enrolment = await enrolHost(await connectionOf(command), id, file);
      const { host: enrolled, origin, shards, edgeKeys } = enrolment;
      const document = { id: enrolled, file, origin, shards, publicKey: publicHalf(enrolment.privateKey), edgeKeys };
      print(command, write, document, [`${id} is enrolled. Move ${file} (mode 600) to the host and keep no copy.`]);
    });
  host
    .command('invite')
    .description('let one machine join as this host within 15 minutes; its key is generated there and never leaves it')
    .argument('<name>', 'host name: lower-case letters, digits and hyphens')
    .option('--again', 'end earlier invitations of this host that are still open')
    .action(async (name: string, options: { again?: boolean }, command: Command) => {
      const id = checked(hostIdSchema, name, 'NAME');
      const connection = await connectionOf(command);
      // Generated here and sent as a hash: if the answer is lost, nothing usable is left behind.
      const invitation = `rcpt-join-${randomBytes(32).toString('base64url')}`;
      const hash = createHash('sha256').update(invitation).digest('base64url');
      const invited = await adminApi(connection).inviteHost(id, hash, options.again === true);
      const join = `rcpt-prober join ${connection.origin} ${invitation}`;
      print(command, write, { ...invited, invitation, join }, [
        `${id} can join once, until ${when(invited.expiresAt, '')}. On the machine, as root:`,
        `  ${join}`,
      ]);
    });
  host
    .command('list')
    .description('list the enrolled hosts, what the edge sees of them, and why one was refused')
    .option('--all', 'include removed hosts')
    .action(async (options: { all?: boolean }, command: Command) => {
      const listed = await (await apiOf(command)).listHosts();
      const hosts = listed.hosts.filter(({ state }) => options.all === true || state !== 'removed').toSorted(byName);
      print(command, write, { hosts }, hostLines(hosts, Date.now()));
    });
  changeCommand(host, write, 'drain', 'stop giving a host new jobs; running ones finish', 'draining');
  changeCommand(host, write, 'resume', 'give a drained host jobs again', 'active');
  changeCommand(host, write, 'remove', 'disconnect a host at once and withdraw its key', 'removed');
  return host;
}

function changeCommand(host: Command, write: Write, verb: string, what: string, state: HostEntry['state']): void {
  host
    .command(verb)
    .description(what)
    .argument('<host>', 'its name')
    .action(async (name: string, _options: unknown, command: Command) => {
      const id = checked(hostIdSchema, name, 'HOST');
      const api = await apiOf(command);
      const changed = await (state === 'removed' ? api.removeHost(id) : api.setHostState(id, state));
      const warning = state === 'active' ? null : lastHostWarning((await api.listHosts()).hosts);
      const lines = [`${changed.id} is ${changed.state}`, ...(warning === null ? [] : [warning])];
      print(command, write, warning === null ? changed : { ...changed, warning }, lines);
    });
}

/** A warning if no host is left to take new batches; null if one is, or if that is unknown. */
function lastHostWarning(hosts: readonly HostEntry[]): string | null {
  if (hosts.some(({ instances }) => instances === null)) return null;
  const takers = hosts.filter(({ state, healthy }) => state === 'active' && healthy === true);
  return takers.length > 0 ? null : 'No host takes new batches any more: every request now fails with 500.';
}
