import { describe, expect, it } from 'vitest';
import { notReady } from './ready-to-deploy.ts';

const READY = {
  name: 'production',
  databases: [{ binding: 'DB', id: '6c1f7b0e-0000-4000-8000-000000000000' }],
  routes: 1,
  secrets: ['KEY_SECRETS', 'ALERT_WEBHOOK'],
  vars: {
    PUBLIC_URL: 'https://verify.example.com',
    SIGN_IN_FROM: 'hello@example.com',
    OPERATOR_NAME: 'Example Ltd',
    PRIVACY_URL: 'https://example.com/privacy',
    TERMS_URL: 'https://example.com/terms',
    CONTACT_EMAIL: 'help@example.com',
  },
};

describe('values still to be filled in before a deploy', () => {
  it('are none with a database, a route, what the pages link, and somebody to alert', () => {
    expect(notReady(READY)).toEqual([]);
  });

  it('are each named, with what is missing without them', () => {
    const databases = [{ binding: 'DB', id: '' }];
    const bare = { ...READY, databases, routes: 0, secrets: [], vars: { ...READY.vars, PUBLIC_URL: '' } };
    expect(notReady(bare)).toEqual([
      'production: the database DB has no id yet: wrangler d1 create rcpt-production --jurisdiction eu',
      'production: no route: uncomment its line, with your own host name',
      'production: PUBLIC_URL is empty: mails have no links, and nobody is mailed about credits',
      'production: put the secret ALERT_WEBHOOK and add it to the required ones: without it no alarm reaches anyone',
    ]);
  });
});
