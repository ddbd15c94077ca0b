import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MEANINGS } from '../prober/engine/meaning/rules/meanings.ts';
import { SAYS } from '../prober/engine/meaning/rules/rule.ts';
import { OUTCOMES } from '../schema/outcomes.ts';
import { REASONS } from '../schema/words/reasons.ts';

// Whoever adds a kind of outcome, a reason or a meaning of a reply answers every question about it in its row. So no
// code compares their names: it asks a property of the row, or switches over all of them.

const ROOT = join(import.meta.dirname, '..');
/** The tables, and a check that is independent of them on purpose. */
const MAY_COMPARE =
  /^schema\/(?:outcomes\.ts|words\/)|^scripts\/lab\/load\/check\.ts$|\.test\.ts$|\/testing\/|\/dist\//;

const named = (members: string, words: readonly string[]): string =>
  `\\b(?:${members})\\)? [!=]== '(?:${words.join('|')})'`;
const outcomes = Object.keys(OUTCOMES);
const meanings = [...Object.keys(MEANINGS), ...Object.keys(SAYS)];
/** Words of other unions too: states, silences, causes of a deferral. They are judged by the name of what is compared. */
const COMMON = new Set([
  'accepted',
  'deferred',
  'greylisting',
  'limit',
  'relay_denied',
  'timeout',
  'unexpected',
  'unprobed',
]);
const own = [...outcomes, ...meanings, ...REASONS].filter((word) => !COMMON.has(word)).join('|');
const COMPARED = new RegExp(
  [
    named('kind', outcomes),
    named('reason', REASONS),
    named('meaning|says', meanings),
    `[!=]== '(?:${own})'`,
    `'(?:${own})' [!=]==`,
    `\\['(?:${own})'[^\\]]*\\]\\.(?:includes|some|indexOf)\\(`,
    `(?:includes|has)\\('(?:${own})'\\)`,
    `new Set\\(\\['(?:${own})'`,
  ].join('|'),
);

const compares = (line: string): boolean => COMPARED.test(line);

it('is compared by name nowhere outside its table', () => {
  const files = globSync('{schema,edge,prober,scripts}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !MAY_COMPARE.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, n) => (compares(line) ? [`${file}:${n + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

it.each([
  ["if (outcome.kind === 'timeout') return;", true],
  ["outcome?.kind !== 'deferred'", true],
  ["const isDead = meaning === 'relay_denied'", true],
  ["real === 'no_such_mailbox'", true],
  ["result.reason === 'greylisting'", true],
  ["new Set(['no_banner', 'ehlo_rejected'])", true],
  ["if (said.says === 'limit') return", true],
  ["if ('no_banner' === kind)", true],
  ["['no_mx', 'mx_private_ip'].includes(reason)", true],
  ["cause === 'timeout'", false],
  ["evidence.kind === 'relay_denied'", false],
  ["deferral.cause === 'greylisting'", false],
  ["return { kind: 'timeout', greeted: true };", false],
])('sees a comparison in `%s`: %s', (line, is) => {
  expect(compares(line)).toBe(is);
});
