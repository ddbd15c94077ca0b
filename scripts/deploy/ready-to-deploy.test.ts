import { describe, expect, it } from 'vitest';
import { notReady } from './ready-to-deploy.ts';

const DB = { binding: 'DB', id: '6c1f7b0e-0000-4000-8000-000000000000' };

describe('values still to be filled in before a deploy', () => {
  it('is nothing with a database and a route', () => {
    expect(notReady({ name: 'staging', databases: [DB], routes: 1 })).toEqual([]);
  });

  it('is a database, or a route', () => {
    expect(notReady({ name: 'production', databases: [{ ...DB, id: '' }], routes: 0 })).toEqual([
      'production: the database DB has no id yet: wrangler d1 create rcpt-production --jurisdiction eu',
      'production: no route: uncomment its line, with your own host name',
    ]);
  });
});
