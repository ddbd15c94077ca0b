import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { classifyPlainly } from '../../testing/classify-plainly.ts';
import { rawReply } from '../../testing/raw-reply.ts';
import { readReply } from '../meaning/outcome.ts';
import { CatchAllCheck } from './catch-all-check.ts';
import { createRecipientProbe } from '../recipients/recipient-probe.ts';

const OK = { code: 250, enhanced: null };
const LOST: Outcome = { kind: 'connection_error', greeted: true };

const OURS: Outcome = { kind: 'unprobed', why: 'cooldown', waitS: 60 };

type Step = { readonly said: string; readonly suspect?: true } | 'session' | 'stopped' | 'put_off' | 'closed';

/** One acceptance, then what each try told; what it was settled by, null while it is kept back. */
function play(steps: readonly Step[]): { fate: string | null; doubted: boolean; owed: boolean } {
  let fate: string | null = null;
  const check = new CatchAllCheck((_, outcome) => {
    if (outcome.kind === 'unprobed') fate = 'unprobed';
    else if (outcome.kind !== 'accepted') throw new Error('not an acceptance');
    else fate = outcome.madeUp.kind === 'not_learnt' ? outcome.madeUp.why : outcome.madeUp.kind;
  }, null);
  check.add(createRecipientProbe('a', false, 0), OK);
  for (const step of steps) {
    if (step === 'session') check.begin();
    else if (step === 'stopped') check.stopped(LOST);
    else if (step === 'put_off') check.putOff(OURS);
    else if (step === 'closed') check.close();
    else check.heard(readReply(classifyPlainly, 'rcpt', rawReply(step.said)), step.suspect ?? false);
  }
  return { fate, doubted: check.doubted, owed: check.owed };
}

const GONE = { said: '550 5.1.1 no such user' };
const SUSPECT = { ...GONE, suspect: true } as const;
const LATER = { said: '450 later' };

const KEPT = { fate: null, owed: true };

test.each<[string, readonly Step[], { fate: string | null; doubted: boolean; owed: boolean }]>([
  ['nothing is asked yet', [], { ...KEPT, doubted: false }],
  ['a plain refusal', [GONE], { fate: 'refused', doubted: false, owed: false }],
  ['an acceptance', [{ said: '250 ok' }], { fate: 'accepted', doubted: false, owed: false }],
  ['a deferral', [LATER], { ...KEPT, doubted: false }],
  ['a deferral, twice', [LATER, 'session', LATER], { fate: 'greylisting', doubted: false, owed: false }],
  ['a doubtful refusal', [SUSPECT], { ...KEPT, doubted: true }],
  ['its session ends', [SUSPECT, 'stopped'], { ...KEPT, doubted: true }],
  ['two refusals alike', [SUSPECT, 'session', SUSPECT], { fate: 'refused', doubted: false, owed: false }],
  ['the second accepted', [SUSPECT, 'session', { said: '250 ok' }], { fate: 'accepted', doubted: false, owed: false }],
  ['the second deferred', [SUSPECT, 'session', LATER], { fate: 'greylisting', doubted: false, owed: false }],
  ['the second lost', [SUSPECT, 'session', 'stopped'], { fate: 'connection_error', doubted: false, owed: false }],
  ['the second out of time', [SUSPECT, 'closed'], { fate: 'timeout', doubted: true, owed: false }],
  [
    'the second refused otherwise',
    [SUSPECT, 'session', { said: '554 5.1.1 no such user' }],
    { fate: 'unexpected_code', doubted: false, owed: false },
  ],
  ['our crowd is put off', ['put_off'], { fate: 'unprobed', doubted: false, owed: false }],
  ['the same after a try', [LATER, 'session', 'put_off'], { fate: 'unprobed', doubted: false, owed: false }],
  ['the same before the second', [SUSPECT, 'session', 'put_off'], { fate: 'unprobed', doubted: true, owed: false }],
  ['a deferral, then a doubtful refusal', [LATER, 'session', SUSPECT], { ...KEPT, doubted: true }],
  [
    'which the third session confirms',
    [LATER, 'session', SUSPECT, 'session', GONE],
    { fate: 'refused', doubted: false, owed: false },
  ],
  [
    'which the third session does not reach',
    [LATER, 'session', SUSPECT, 'session', 'stopped'],
    { fate: 'connection_error', doubted: false, owed: false },
  ],
])('%s', (_what, steps, expected) => {
  expect(play(steps)).toEqual(expected);
});

test('what is known of the provider settles an acceptance at once', () => {
  const settled: Outcome[] = [];
  const check = new CatchAllCheck((_, outcome) => settled.push(outcome), { kind: 'provider_accepts_all' });
  expect(check.plan).toBe('known');
  check.add(createRecipientProbe('a', false, 0), OK);
  expect(settled).toEqual([{ kind: 'accepted', reply: OK, madeUp: { kind: 'provider_accepts_all' } }]);
});
