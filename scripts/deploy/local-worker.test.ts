import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LOCAL_PAGES, LOCAL_WORKER } from '../../edge/local/miniflare.ts';
import { OUTBOX } from '../../edge/local/outbox.ts';
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

test('every environment runs beside the database and the objects, which are in the EU', () => {
  const live = liveEnvironments(CONFIG);
  expect(live).toEqual(['staging', 'production']);
  for (const name of [null, ...live])
    expect(readWranglerConfig(CONFIG, name).placement).toEqual({ region: 'aws:eu-central-1' });
});
