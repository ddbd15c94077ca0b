import { readWranglerConfig } from './read-environment.ts';

/** What of an environment is asked before it is deployed, and not while it is only compared with the others. */
export type Deployable = {
  readonly databases: ReadonlyArray<{ readonly binding: string; readonly database_id: string }>;
  readonly routes: number;
};

/** Stands for a database that was not made yet. */
const NO_DATABASE = /^[0-]*$/;

/** @returns one line for each thing that is still to be filled in. Pure. */
export function notReady(name: string, { databases, routes }: Deployable): readonly string[] {
  return [
    ...databases
      .filter(({ database_id: id }) => NO_DATABASE.test(id))
      .map(
        ({ binding }) =>
          `${name}: the database ${binding} has no id yet: wrangler d1 create rcpt-${name} --jurisdiction eu`,
      ),
    ...(routes === 0 ? [`${name}: no route: uncomment its line, with your own host name`] : []),
  ];
}

/** The same of an environment of a wrangler.toml. */
export function readNotReady(path: string, environment: string): readonly string[] {
  const { d1_databases: databases, routes, route } = readWranglerConfig(path, environment);
  return notReady(environment, { databases, routes: routes.length + (route === undefined ? 0 : 1) });
}
