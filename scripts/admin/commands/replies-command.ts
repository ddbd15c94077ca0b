import { Command } from 'commander';
import * as z from 'zod';
import { hostIdSchema } from '../../../schema/enrolment.ts';
import { readReplies, type Replies } from '../../../prober/ops/metrics/replies.ts';
import { adminApi } from '../connection/api.ts';
import { AdminError } from '../connection/client.ts';
import { connectionOf } from '../connection/connection.ts';
import { byName } from '../output/natural-order.ts';
import { print, table } from '../output/print.ts';
import { inService } from '../hosts/roll.ts';
import { overSsh, readDestination } from '../hosts/ssh.ts';
import { checked } from '../../base/usage-error.ts';

const optionsSchema = z.object({ ssh: z.string(), only: z.array(hostIdSchema).default([]) });

/** What a host answered; in words why it did not. */
export type Asked = { readonly host: string; readonly answer: Replies | string };
export type UnknownReplies = {
  readonly replies: readonly { readonly template: string; readonly count: number; readonly hosts: readonly string[] }[];
  readonly unanswered: readonly { readonly host: string; readonly why: string }[];
};

/** `replies unknown`. */
export function repliesCommand(write: (text: string) => void): Command {
  const replies = new Command('replies').description('replies of mail servers');
  replies
    .command('unknown')
    .description('list replies to RCPT that no rule knows, with names masked: candidates for new rules')
    .requiredOption('--ssh <destination>', 'SSH destination of each host to ask, as in root@{host}.example.com')
    .option('--only <host...>', 'only these hosts')
    .action(async (given: unknown, command: Command) => {
      const { ssh, only } = checked(optionsSchema, given, '--only');
      const asked = await askMachines(command, readDestination(ssh), only);
      if (asked.length === 0) throw new AdminError('There is no host to ask.', null);
      const known = merge(asked);
      if (known.unanswered.length === asked.length)
        throw new AdminError(known.unanswered.map(({ host, why }) => `${host}: ${why}`).join('; '), null);
      print(command, write, known, lines(known));
    });
  return replies;
}

/** Each host that is in service, with the operator's own SSH: replies leave a host on no other way. */
async function askMachines(
  command: Command,
  machineOf: (host: string) => string,
  only: readonly string[],
): Promise<readonly Asked[]> {
  const { hosts } = await adminApi(await connectionOf(command)).listHosts();
  const wanted = inService(hosts)
    .filter(({ id }) => only.length === 0 || only.includes(id))
    .toSorted(byName);
  return Promise.all(
    wanted.map(async ({ id }) => {
      const { ok, out, said } = await overSsh(machineOf(id), 'rcpt-prober replies');
      const answer = ok
        ? (readReplies(out) ?? 'its answer has an unknown form: upgrade it to this version')
        : oneLine(said);
      return { host: id, answer };
    }),
  );
}

/** What a machine sent, made safe for the terminal. */
function oneLine(said: string): string {
  return said.replaceAll(/[\s\p{C}]+/gu, ' ') || 'no answer';
}

/** The replies of all hosts together, the most frequent first. */
export function merge(asked: readonly Asked[]): UnknownReplies {
  const byTemplate = new Map<string, { count: number; hosts: string[] }>();
  const unanswered: { host: string; why: string }[] = [];
  for (const { host, answer } of asked) {
    if (typeof answer === 'string') unanswered.push({ host, why: answer });
    else
      for (const { template, count } of answer.replies) {
        const one = byTemplate.get(template) ?? { count: 0, hosts: [] };
        byTemplate.set(template, { count: one.count + count, hosts: [...one.hosts, host] });
      }
  }
  const replies = [...byTemplate].map(([template, one]) => ({ template, ...one }));
  return { replies: replies.toSorted((a, b) => b.count - a.count), unanswered };
}

function lines({ replies, unanswered }: UnknownReplies): readonly string[] {
  return [
    ...(replies.length === 0 ? ['none that can be shown'] : []),
    ...(replies.length === 0
      ? []
      : table([
          ['count', 'hosts', 'reply'],
          ...replies.map(({ template, count, hosts }) => [String(count), hosts.join(' '), template]),
        ])),
    ...unanswered.map(({ host, why }) => `! ${host}: ${why}`),
  ];
}
