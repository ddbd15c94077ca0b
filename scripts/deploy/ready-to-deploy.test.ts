import { describe, expect, it } from 'vitest';
import { notReady } from './ready-to-deploy.ts';

const DB = { binding: 'DB', database_id: '6c1f7b0e-0000-4000-8000-000000000000' };

describe('what is still to be filled in before a deploy', () => {
  it('is nothing with a database and a route', () => {
    expect(notReady('staging', { databases: [DB], routes: 1 })).toEqual([]);
  });

  it('is an id of zeros, or a route', () => {
    const databases = [{ ...DB, database_id: '00000000-0000-0000-0000-000000000000' }];
    expect(notReady('production', { databases, routes: 0 })).toEqual([
      'production: the database DB has no id yet: wrangler d1 create rcpt-production --jurisdiction eu',
      'production: no route: uncomment its line, with your own host name',
    ]);
  });
});
