import { Command } from 'commander';
import { getPublicSuffix } from 'tldts';
import { optOutDomainSchema } from '../../../schema/admin.ts';
import { apiOf } from '../connection/connection.ts';
import { print, table, when } from '../output/print.ts';
import { checked, UsageError } from '../../base/usage-error.ts';

/** `opt-out add|remove|list`. */
export function optOutCommand(write: (text: string) => void): Command {
  const optOut = new Command('opt-out').description('domains that must not be probed');
  optOut
    .command('add')
    .description(
      'stop probing a domain and its subdomains, within a minute: results are unknown/policy_rejected, and free',
    )
    .argument('<domain>', 'such as example.com; includes its subdomains')
    .action(async (name: string, _options: unknown, command: Command) => {
      const domain = checked(optOutDomainSchema, name, 'DOMAIN');
      if (getPublicSuffix(domain, { allowPrivateDomains: true }) === domain)
        throw new UsageError(`DOMAIN: ${domain} is a public suffix: this would opt out every domain below it`);
      const added = await (await apiOf(command)).addOptOut(domain);
      print(command, write, added, [`opted out since ${when(added.createdAt, '')}, listed as ${added.hash}`]);
    });
  optOut
    .command('remove')
    .description('allow a domain to be probed again')
    .argument('<domain>', 'exactly as it was added; a subdomain of a listed domain is not itself on the list')
    .action(async (name: string, _options: unknown, command: Command) => {
      const domain = checked(optOutDomainSchema, name, 'DOMAIN');
      const removed = await (await apiOf(command)).removeOptOut(domain);
      print(command, write, removed, [`${removed.hash} is off the list`]);
    });
  optOut
    .command('list')
    .description('list hashes and dates, oldest first; the domains themselves are not stored')
    .action(async (_options: unknown, command: Command) => {
      const { optOuts } = await (await apiOf(command)).listOptOuts();
      const rows = optOuts.map(({ hash, createdAt }) => [hash, when(createdAt, '')]);
      const lines = rows.length === 0 ? ['no domain has opted out'] : table([['hash', 'since'], ...rows]);
      print(command, write, { optOuts }, lines);
    });
  return optOut;
}
