import type { EnvironmentShape } from './compare-environments.ts';

/**
 * What of an environment is asked before it is deployed, and not while it is only compared with the others.
 * @returns one line for each thing that is still to be filled in. Pure.
 */
export function notReady({
  name,
  databases,
  routes,
}: Pick<EnvironmentShape, 'name' | 'databases' | 'routes'>): readonly string[] {
  return [
    ...databases
      .filter(({ id }) => id === '')
      .map(
        ({ binding }) =>
          `${name}: the database ${binding} has no id yet: wrangler d1 create rcpt-${name} --jurisdiction eu`,
      ),
    ...(routes === 0 ? [`${name}: no route: uncomment its line, with your own host name`] : []),
  ];
}
