import type { TestDatabase } from './sqlite-d1.ts';

const HOUR_MS = 3_600_000;

/** Writes people and their things into a test's database, bypassing the code under test. */
export function peopleIn({ put, now }: TestDatabase) {
  const created = now();
  return {
    /** Their address is `ID@x.test`. */
    person: (id: string) => put('people', { id, email: `${id}@x.test`, created_at: created }),
    account: (id: string, people: Readonly<Record<string, 'owner' | 'member'>> = {}) => {
      put('accounts', { id, name: id, created_at: created, low_balance_at: 7 });
      for (const [who, role] of Object.entries(people))
        put('memberships', { account_id: id, person_id: who, role, joined_at: created });
    },
    key: (account: string, id: string) =>
      put('api_keys', { hash: id, id, account_id: account, label: id, hint: '', created_at: created }),
    /** Of the session of this person. */
    pageKey: (account: string, who: string) =>
      put('api_keys', {
        hash: `page-${who}`,
        id: `page-${who}`,
        account_id: account,
        label: '',
        hint: '',
        created_at: created,
        kind: 'page',
        expires_at: created + HOUR_MS,
        session_id: `session-${who}`,
        made_by: who,
      }),
    session: (who: string, account: string) =>
      put('sessions', {
        hash: `session-${who}`,
        id: `session-${who}`,
        person_id: who,
        account_id: account,
        opened_by: 'link',
        device: '',
        created_at: created,
        last_used_day: 0,
        expires_at: created + HOUR_MS,
      }),
    passkey: (who: string, counter = 0) =>
      put('passkeys', {
        id: `passkey-${who}`,
        person_id: who,
        label: '',
        public_key: '',
        algorithm: 'ES256',
        transports: '[]',
        counter,
        created_at: created,
      }),
    challenge: (who: string) => put('challenges', { hash: who, person_id: who, expires_at: created + HOUR_MS }),
    link: (email: string) =>
      put('mailed_links', { hash: email, email, created_at: created, expires_at: created + HOUR_MS }),
    invitation: (account: string, by: string, email: string, role = 'member') =>
      put('invitations', {
        id: `${account} ${email}`,
        hash: `${account} ${email}`,
        account_id: account,
        email,
        role,
        invited_by: by,
        created_at: created,
        expires_at: created + HOUR_MS,
      }),
    order: (account: string, who: string) =>
      put('orders', {
        id: `order-${who}`,
        account_id: account,
        person_id: who,
        credits: 1,
        amount: 1,
        currency: 'eur',
        state: 'open',
        created_at: created,
        asked_at: created,
      }),
  };
}
