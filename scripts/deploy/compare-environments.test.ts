import { describe, expect, test } from 'vitest';
import { compareEnvironments, type EnvironmentShape } from './compare-environments.ts';

const KNOWN = ['RATE_LIMIT', 'JURISDICTION', 'SANDBOX', 'PACKS', 'KEY_SECRETS'];

function environment(name: string, change: Partial<EnvironmentShape> = {}): EnvironmentShape {
  return {
    name,
    parts: ['object FLEET of class Fleet', 'database DB with migrations in schema/migrations'],
    secrets: ['KEY_SECRETS'],
    vars: { RATE_LIMIT: '60', JURISDICTION: name === 'local' ? '' : 'eu', SANDBOX: '', PACKS: '[]' },
    own: [`limit id ${name}`],
    routes: 1,
    databases: [{ binding: 'DB', id: `of ${name}` }],
    ...change,
  };
}

describe('compareEnvironments', () => {
  test('finds nothing if all names agree', () => {
    expect(compareEnvironments([environment('local'), environment('live')], KNOWN)).toEqual([]);
  });

  test.each<[string, Partial<EnvironmentShape>, string]>([
    [
      'a binding that only local development has',
      { parts: ['object FLEET of class Fleet'] },
      'live: no database DB with migrations in schema/migrations, which another environment has',
    ],
    ['a missing secret', { secrets: [] }, 'live: no variable or secret KEY_SECRETS'],
    [
      'a missing variable',
      { vars: { JURISDICTION: 'eu', SANDBOX: '', PACKS: '[]' } },
      'live: no variable or secret RATE_LIMIT',
    ],
    [
      'a variable that nothing reads',
      { vars: { RATE_LIMIT: '60', JURISDICTION: 'eu', SANDBOX: '', PACKS: '[]', RATE_LIMTI: '1' } },
      'live: nothing reads RATE_LIMTI: misspelt?',
    ],
    [
      'a secret among the variables',
      { vars: { RATE_LIMIT: '60', JURISDICTION: 'eu', SANDBOX: '', PACKS: '[]', KEY_SECRETS: 's' } },
      'live: the secret KEY_SECRETS stands among the variables',
    ],
    [
      'a live environment outside the EU',
      { vars: { RATE_LIMIT: '60', JURISDICTION: '', SANDBOX: '', PACKS: '[]' } },
      'live: JURISDICTION must be "eu" where it is live',
    ],
    [
      'a live sandbox',
      { vars: { RATE_LIMIT: '60', JURISDICTION: 'eu', SANDBOX: '1', PACKS: '[]' } },
      'live: SANDBOX must be "" or "0" where it is live',
    ],
    [
      'a value that the Worker refuses',
      { vars: { RATE_LIMIT: '60', JURISDICTION: 'eu', SANDBOX: '', PACKS: '[{oops' } },
      'live: PACKS has a value that the Worker refuses: edge/README.md, "Settings"',
    ],
    ['a shared counter', { own: ['limit id local'] }, "live: limit id local is another environment's too"],
  ])('names %s', (_what, change, fault) => {
    expect(compareEnvironments([environment('local'), environment('live', change)], KNOWN)).toEqual([fault]);
  });

  test('names a binding that only a live environment has', () => {
    const live = environment('live', { parts: [...environment('live').parts, 'schedule * * * * *'] });
    expect(compareEnvironments([environment('local'), live], KNOWN)).toEqual([
      'local: no schedule * * * * *, which another environment has',
    ]);
  });
});
