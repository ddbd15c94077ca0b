import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readConfig } from '../../edge/base/config.ts';
import { LOCAL_PAGES, LOCAL_WORKER } from '../../edge/local/miniflare.ts';
import { OUTBOX } from '../../edge/local/outbox.ts';
import { makeKey } from '../../schema/testing/make-key.ts';
import { OWN_VARIABLES } from '../local/service.ts';
import { liveEnvironments, readWranglerConfig } from './read-environment.ts';

const CONFIG = fileURLToPath(new URL('../../wrangler.toml', import.meta.url));

test('the Worker runs locally with the date, objects, limits and databases of wrangler.toml', () => {
  const config = readWranglerConfig(CONFIG, null);
  const sqlite = config.migrations.flatMap((migration) => migration.new_sqlite_classes);
  const objects = config.durable_objects.bindings.map(({ name, class_name: className }) => [
    name,
    { className, useSQLite: sqlite.includes(className) },
  ]);
  const limits = config.ratelimits.map(({ name, ...limit }) => [name, limit]);
  expect(LOCAL_WORKER).toEqual({
    compatibilityDate: config.compatibility_date,
    durableObjects: Object.fromEntries(objects),
    ratelimits: Object.fromEntries(limits),
    // What wrangler opens with --local, in a state folder of `npm start`.
    d1Databases: Object.fromEntries(
      config.d1_databases.map(({ binding, preview_database_id: id }) => [binding, { id }]),
    ),
  });
  expect(config.compatibility_flags).toEqual([]);
  expect(config.send_email).toEqual(Object.keys(OUTBOX).map((name) => ({ name })));
  expect(config.assets).toMatchObject(LOCAL_PAGES);
});

test('`npm start` has the rules of a deployment: only mail, gifts, packs and the jurisdiction differ', () => {
  const secrets = { KEY_SECRETS: 'x'.repeat(32), OPERATOR_KEYS: '{}', EDGE_SIGNING_KEY: JSON.stringify(makeKey()) };
  const local = readConfig({ ...OWN_VARIABLES, ...secrets });
  const live = Object.entries(readConfig({ ...readWranglerConfig(CONFIG, 'production').vars, ...secrets }));
  const differing = live.filter(([name, value]) => JSON.stringify(Reflect.get(local, name)) !== JSON.stringify(value));
  expect(differing.map(([name]) => name).toSorted()).toEqual([
    'JURISDICTION',
    'MAILS_PER_DAY',
    'PACKS',
    'SIGN_IN_FROM',
    'WELCOME_CREDITS',
  ]);
});

test('every environment runs beside the database and the objects, which are in the EU', () => {
  const live = liveEnvironments(CONFIG);
  expect(live).toEqual(['staging', 'production']);
  for (const name of [null, ...live])
    expect(readWranglerConfig(CONFIG, name).placement).toEqual({ region: 'aws:eu-central-1' });
});
