import type { EnvironmentShape } from './compare-environments.ts';

/** What a service needs before people pay for it, and what is missing without it. */
const NEEDED: ReadonlyArray<readonly [string, string]> = [
  ['PUBLIC_URL', 'mails have no links, and nobody is mailed about credits'],
  ['SIGN_IN_FROM', 'nobody can sign in'],
  ['OPERATOR_NAME', 'nobody sees who runs the service'],
  ['PRIVACY_URL', 'the pages link no privacy notice'],
  ['TERMS_URL', 'the pages link no terms'],
  ['CONTACT_EMAIL', 'the pages name no contact'],
];
const NEEDED_SECRETS: ReadonlyArray<readonly [string, string]> = [['ALERT_WEBHOOK', 'no alarm reaches anyone']];

/**
 * What of an environment is asked before it is deployed, and not while it is only compared with the others.
 * @returns one line for each thing that is still to be filled in. Pure.
 */
export function notReady({
  name,
  vars,
  secrets,
  databases,
  routes,
}: Pick<EnvironmentShape, 'name' | 'vars' | 'secrets' | 'databases' | 'routes'>): readonly string[] {
  return [
    ...databases
      .filter(({ id }) => id === '')
      .map(({ binding }) => `the database ${binding} has no id yet: wrangler d1 create rcpt-${name} --jurisdiction eu`),
    ...(routes === 0 ? ['no route: uncomment its line, with your own host name'] : []),
    ...NEEDED.filter(([variable]) => (vars[variable] ?? '') === '').map(
      ([variable, without]) => `${variable} is empty: ${without}`,
    ),
    ...NEEDED_SECRETS.filter(([secret]) => !secrets.includes(secret)).map(
      ([secret, without]) => `put the secret ${secret} and add it to the required ones: without it ${without}`,
    ),
  ].map((missing) => `${name}: ${missing}`);
}
