// Named environments of wrangler.toml inherit no variable and no binding: what one forgets is missing there alone,
// and found out by its callers. So every environment must have the same names as every other.

import { OPTIONAL_SECRETS, parseConfig } from '../../edge/base/config.ts';
import { databaseName } from '../../edge/base/databases.ts';

/** What is compared of one environment. Values differ on purpose; what is named here must not. */
export type EnvironmentShape = {
  readonly name: string;
  /** Bindings, classes, schedules and the settings that privacy rests on, each as one line of text. */
  readonly parts: readonly string[];
  readonly secrets: readonly string[];
  readonly vars: Readonly<Record<string, unknown>>;
  /** What no two environments may share: a counter's or a database's id. */
  readonly own: readonly string[];
  /** Ways to it, which only a live one has. */
  readonly routes: number;
  /** Its databases: how many there are may differ. An id is empty until the database is made. */
  readonly databases: ReadonlyArray<{ readonly binding: string; readonly id: string }>;
};

/** Live objects are pinned to the EU, and a live edge takes no host that dials private addresses. */
const LIVE: Readonly<Record<string, readonly string[]>> = { JURISDICTION: ['eu'], SANDBOX: ['', '0'] };

/**
 * @param environments the first is local development, the others are live
 * @param known the names of all variables and secrets that the Worker reads, without the optional secrets
 * @returns one line for each thing wrong; none if all is well
 */
export function compareEnvironments(
  environments: readonly EnvironmentShape[],
  known: readonly string[],
): readonly string[] {
  const all = [...new Set(environments.flatMap((environment) => environment.parts))];
  return environments.flatMap((environment, at) => {
    const { name, parts, secrets, vars, own } = environment;
    const named = [...Object.keys(vars), ...secrets];
    const others = environments.slice(0, at).flatMap((other) => other.own);
    return [
      ...all.filter((part) => !parts.includes(part)).map((part) => `no ${part}, which another environment has`),
      ...known.filter((variable) => !named.includes(variable)).map((variable) => `no variable or secret ${variable}`),
      ...named
        .filter((variable) => !known.includes(variable) && !OPTIONAL_SECRETS.includes(variable))
        .map((variable) => `nothing reads ${variable}: misspelt?`),
      ...secrets.filter((secret) => secret in vars).map((secret) => `the secret ${secret} stands among the variables`),
      ...own.filter((id) => others.includes(id)).map((id) => `${id} is another environment's too`),
      ...wrongDatabases(environment),
      ...wrongValues(environment),
      ...(at === 0 ? [] : wrongForLive(vars)),
    ].map((fault) => `${name}: ${fault}`);
  });
}

/** As many databases as LEDGER_DATABASES says, under the names that the Worker asks for, none of them twice. */
function wrongDatabases({ vars, databases }: EnvironmentShape): readonly string[] {
  const count = Number(vars['LEDGER_DATABASES'] ?? 1);
  const wanted = Array.from({ length: count }, (_, number) => databaseName(number));
  const bound = databases.map(({ binding }) => binding);
  const seen = new Map<string, string>();
  const twice = databases.flatMap(({ binding, id }) => {
    const first = seen.get(id);
    if (id === '') return [];
    seen.set(id, first ?? binding);
    return first === undefined ? [] : [`${binding} is bound to the database of ${first}`];
  });
  return [
    ...wanted
      .filter((name) => !bound.includes(name))
      .map((name) => `LEDGER_DATABASES is ${count}, but there is no ${name}`),
    ...bound
      .filter((name) => !wanted.includes(name))
      .map((name) => `LEDGER_DATABASES is ${count}: nothing uses ${name}`),
    ...twice,
  ];
}

/** What the Worker itself would refuse. Secrets are not known here. */
function wrongValues({ vars, secrets }: EnvironmentShape): readonly string[] {
  const parsed = parseConfig(vars);
  if (!('wrong' in parsed)) return [];
  return parsed.wrong
    .filter((variable) => variable in vars && !secrets.includes(variable))
    .map((variable) => `${variable} has a value that the Worker refuses: edge/README.md, "Settings"`);
}

function wrongForLive(vars: EnvironmentShape['vars']): readonly string[] {
  return Object.entries(LIVE)
    .filter(([variable, allowed]) => !allowed.some((value) => value === vars[variable]))
    .map(([variable, allowed]) => `${variable} must be "${allowed.join('" or "')}" where it is live`);
}
