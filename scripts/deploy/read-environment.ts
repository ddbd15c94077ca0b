import { unstable_readConfig } from 'wrangler';
import * as z from 'zod';
import type { EnvironmentShape } from './compare-environments.ts';

/** Stands for a database that was not made yet. */
const NO_DATABASE = /^[0-]+$/;

const texts = z.array(z.string());
/** Of wrangler's own reading of a configuration, what is compared here. */
const configSchema = z.object({
  compatibility_date: z.string(),
  compatibility_flags: texts,
  definedEnvironments: texts.default([]),
  placement: z.object({ region: z.string() }),
  triggers: z.object({ crons: texts.default([]) }),
  observability: z.object({
    enabled: z.boolean(),
    redact_query_string: z.boolean().default(false),
    logs: z.object({ invocation_logs: z.boolean().default(true) }).prefault({}),
  }),
  vars: z.record(z.string(), z.unknown()),
  secrets: z.object({ required: texts.default([]) }).prefault({}),
  d1_databases: z.array(
    z.object({
      binding: z.string(),
      database_id: z.string(),
      preview_database_id: z.string().optional(),
      migrations_dir: z.string(),
    }),
  ),
  routes: z.array(z.unknown()).default([]),
  route: z.unknown().optional(),
  durable_objects: z.object({ bindings: z.array(z.object({ name: z.string(), class_name: z.string() })) }),
  assets: z.object({ binding: z.string(), directory: z.string(), run_worker_first: texts }),
  send_email: z.array(z.object({ name: z.string() })),
  migrations: z.array(z.object({ tag: z.string(), new_sqlite_classes: texts.default([]) })),
  ratelimits: z.array(
    z.object({
      name: z.string(),
      namespace_id: z.string(),
      simple: z.object({ limit: z.number(), period: z.number() }),
    }),
  ),
});

/** What wrangler reads in one environment of a wrangler.toml; `null` is the top level. */
export function readWranglerConfig(path: string, environment: string | null): z.infer<typeof configSchema> {
  const named = environment === null ? {} : { env: environment };
  return configSchema.parse(unstable_readConfig({ config: path, ...named }));
}

/** The names of the environments of a wrangler.toml, local development (the top level) not among them. */
export function liveEnvironments(path: string): readonly string[] {
  return readWranglerConfig(path, null).definedEnvironments;
}

/** One environment as wrangler understands it; `null` is the top level. */
export function readEnvironment(path: string, environment: string | null): EnvironmentShape {
  const config = readWranglerConfig(path, environment);
  const { observability } = config;
  return {
    name: environment ?? 'local',
    parts: [
      `code ${config.compatibility_date}, flags ${config.compatibility_flags.join(' ') || 'none'}`,
      `code that runs near ${config.placement.region}`,
      ...config.d1_databases.map((it) => `databases with migrations in ${it.migrations_dir}`),
      ...config.durable_objects.bindings.map((it) => `object ${it.name} of class ${it.class_name}`),
      ...config.migrations.map((it) => `migration ${it.tag} of ${it.new_sqlite_classes.join(' ')}`),
      ...config.ratelimits.map((it) => `limit ${it.name} of ${it.simple.limit} in ${it.simple.period} s`),
      `pages ${config.assets.binding} of ${config.assets.directory}, the Worker before ${config.assets.run_worker_first.join(' ')}`,
      ...config.send_email.map((it) => `mail through ${it.name}`),
      ...config.triggers.crons.map((it) => `schedule ${it}`),
      `logs ${observability.enabled ? 'on' : 'off'}`,
      `queries ${observability.redact_query_string ? 'redacted' : 'in the logs'}`,
      `invocation logs ${observability.logs.invocation_logs ? 'on' : 'off'}`,
    ],
    secrets: config.secrets.required,
    vars: config.vars,
    routes: config.routes.length + (config.route === undefined ? 0 : 1),
    databases: config.d1_databases.map(({ binding, database_id: id }) => ({
      binding,
      id: NO_DATABASE.test(id) ? '' : id,
    })),
    own: [
      ...config.ratelimits.map((it) => `limit id ${it.namespace_id}`),
      ...config.d1_databases
        .filter((it) => !NO_DATABASE.test(it.database_id))
        .map((it) => `database id ${it.database_id}`),
    ],
  };
}
