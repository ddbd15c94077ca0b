import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientOf, failureResponse, ScriptedService } from '../../../schema/client/testing/scripted-service.ts';
import { sourceOf } from '../../../schema/lists/testing/source.ts';
import { openTable } from '../table/open-table.ts';
import { NO_PLAN } from '../testing/figures.ts';
import type { OpenJournal } from './places.ts';
import { type List, readList } from './list.ts';
import { checkCredits, planOf } from './plan.ts';

const NEVER = new AbortController().signal;
const READING = { format: 'csv', encoding: null, delimiter: ',', sheet: null, hasHeader: true } as const;
const SUBJECT = { input: 'list', column: 'email', rounds: 2, maxCredits: 9, sample: null };

async function listOf(emails: readonly string[]): Promise<List> {
  const table = await openTable(
    sourceOf(`email\n${emails.map((email) => `"${email}"\n`).join('')}`),
    READING,
    () => {},
  );
  return readList(table, { column: 'email', only: null, notIn: new Set(), check: () => {} }, NEVER);
}

const none = async (): Promise<void> => {};

/** A journal that knows these places, and in which this was spent. */
function journalOf(known: ReadonlySet<number>, spent = { charged: 0, returned: 0, unconfirmed: 0 }): OpenJournal {
  const journal = {
    open: none,
    close: none,
    append: none,
    begin: none,
    end: none,
    known: async () => null,
    requests: async () => ({ open: [], spent }),
  };
  return {
    path: 'j',
    journal,
    has: (place) => known.has(place),
    check: none,
    isEmpty: () => false,
    takenFrom: () => null,
    end: none,
  };
}

test('each address that is not known costs a credit once, wherever it stands', async () => {
  const email = fc.constantFrom('a@x.test', 'A@x.test', 'b@x.test', 'c@y.test', 'none', 'd@x.test; e@x.test');
  const scenes = fc.record({ emails: fc.array(email, { maxLength: 12 }), places: fc.array(fc.nat(11)) });
  await fc.assert(
    fc.asyncProperty(scenes, async ({ emails, places }) => {
      const asked = emails.filter((one) => /^[^;]+$/.test(one) && one !== 'none').map((one) => one.toLowerCase());
      const distinct = [...new Set(asked)];
      const known = new Set(places.filter((place) => place < distinct.length));
      const isKnown = (one: string): boolean => known.has(distinct.indexOf(one));
      const list = await listOf(emails);
      const { plan } = await planOf({ ...SUBJECT, list }, known.size === 0 ? null : journalOf(known), null, NEVER);
      expect(plan).toEqual({
        ...SUBJECT,
        rows: emails.length,
        unclear: emails.filter((one) => one.includes(';')).length,
        none: emails.filter((one) => one === 'none').length,
        unwanted: 0,
        excluded: 0,
        addresses: asked.length,
        distinct: distinct.length,
        known: asked.filter(isKnown).length,
        knownDistinct: distinct.filter(isKnown).length,
        creditsAtMostForAll: distinct.filter((one) => !isKnown(one)).length,
        creditsAtMost: distinct.filter((one) => !isKnown(one)).length,
        credits: null,
        spent: 0,
      });
    }),
    { numRuns: 50 },
  );
});

test('the account is asked what it has, and the journal what was spent; an account that does not answer ends it', async () => {
  const list = await listOf(['a@x.test']);
  const journal = journalOf(new Set(), { charged: 5, returned: 3, unconfirmed: 2 });
  const service = new ScriptedService();
  const { plan } = await planOf({ ...SUBJECT, list }, journal, clientOf(service), NEVER);
  expect(plan).toMatchObject({ credits: 1_000, spent: 7 });
  Object.assign(service, { fetch: async () => failureResponse(401, 'UNAUTHORIZED') });
  await expect(planOf({ ...SUBJECT, list }, journal, clientOf(service), NEVER)).rejects.toMatchObject({
    ending: 'key',
  });
  const stop = AbortSignal.abort(new Error('enough'));
  await expect(planOf({ ...SUBJECT, list }, journal, clientOf(service), stop)).rejects.toThrow('enough');
});

test.each([
  [3, null, 0, null],
  [null, null, 0, null],
  [2, null, 0, 2],
  [2, 2, 0, null],
  [2, 3, 0, 2],
  // Of the ceiling this much is gone already.
  [2, 5, 3, null],
  [2, 6, 3, 5],
])(
  'with %s credits, a ceiling of %s, %i spent of it and a price of 3 a run may begin, or with a ceiling of %s',
  (...given) => {
    const [credits, maxCredits, spent, advised] = given;
    const check = (): void => checkCredits({ ...NO_PLAN, creditsAtMost: 3, credits, maxCredits, spent });
    if (advised === null) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        `The account has ${credits} credits, and this may cost 3. Buy credits, or verify a part with --max-credits ${advised}.`,
      );
  },
);
