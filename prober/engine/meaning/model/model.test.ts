import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawReply } from '../../../testing/raw-reply.ts';
import { classifyWith } from '../classify.ts';
import { BUCKETS, featuresOf } from './features.ts';
import { CLASSES, createModel, type Model } from './model.ts';
import { OWN_MODEL, openModel } from './own-model.ts';
import { secondOpinion, SURE_OF } from './second-opinion.ts';
import weights from './weights.json' with { type: 'json' };

const says = (opinion: ReturnType<Model['opinion']>): Model => ({ opinion: () => opinion });
const sure = says({ says: 'no_such_mailbox', probability: 0.999 });

describe("the model's data", () => {
  test('reads as a model, with the figures of its trial, in less than 200 kB', async () => {
    expect(OWN_MODEL).not.toBeNull();
    expect(weights.figures).toMatchObject({ leftOutSaidDeadWrongly: 0 });
    expect((await readFile(join(import.meta.dirname, 'weights.json'))).length).toBeLessThan(200_000);
  });

  test.each([
    ['nothing', null],
    ['another version', { ...weights, version: 2 }],
    ['weights cut short', { ...weights, weights: weights.weights.slice(0, -8) }],
    ['weights that are no base64', { ...weights, weights: weights.weights.replace(/^..../, '!!!!') }],
    ['another class', { ...weights, classes: ['accepted', 'mailbox_full', 'policy_rejected', 'unexpected'] }],
    ['no scale', { ...weights, scale: Number.NaN }],
    ['a bias too few', { ...weights, bias: weights.bias.slice(1) }],
  ])('is no model with %s', (_what, data) => {
    expect(createModel(data)).toBeNull();
  });

  test('that is missing or damaged leaves the rules alone, without an error', async () => {
    expect(await openModel(() => Promise.reject(new Error('no such file')))).toBeNull();
    expect(await openModel(() => Promise.resolve({ default: { version: 1 } }))).toBeNull();
    const [unknown, plain] = ['550 ex-employee', '550 User unknown'].map(rawReply);
    if (unknown === undefined || plain === undefined) throw new Error('two replies');
    expect(classifyWith(null, 'rcpt', unknown)).toMatchObject({ meaning: 'unexpected', by: 'nothing' });
    expect(classifyWith(null, 'rcpt', plain)).toMatchObject({ meaning: 'no_such_mailbox', by: 'rule' });
  });
});

describe('the features of a gist', () => {
  test('are its rows of up to three words, and four letters in a row of words that stand for themselves', () => {
    // BOX, BOX was, BOX was puzzling; was, was puzzling; puzzling; puzz, uzzl, zzli, zlin, ling.
    expect(featuresOf(' BOX was puzzling ').size).toBe(11);
    expect(featuresOf(' BOX was lost ').size).toBe(6);
  });

  test('have a column each that the weights have too', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 20 }), (words) => {
        for (const column of featuresOf(` ${words.join(' ')} `)) {
          expect(column).toBeGreaterThanOrEqual(0);
          expect(column).toBeLessThan(BUCKETS);
        }
      }),
    );
  });
});

describe('a second opinion', () => {
  test.each(CLASSES.filter((one) => one !== 'unexpected'))('is %s from that certainty on', (one) => {
    const at = (probability: number) => secondOpinion(says({ says: one, probability }), ' BOX puzzling . ')?.says;
    expect([at(1), at(SURE_OF[one]), at(SURE_OF[one] - 0.001)]).toEqual([one, one, undefined]);
  });

  test('is heard only where the model is sure', () => {
    const gist = ' BOX puzzling . ';
    expect(secondOpinion(sure, gist)?.says).toBe('no_such_mailbox');
    expect(secondOpinion(says({ says: 'no_such_mailbox', probability: 0.94 }), gist)).toBeNull();
    expect(secondOpinion(says({ says: 'unexpected', probability: 1 }), gist)).toBeNull();
    expect(secondOpinion(null, gist)).toBeNull();
  });

  test('calls nothing dead that does not speak of the recipient, or speaks of us', () => {
    for (const gist of [' puzzling . ', ' BOX SENDER . ', ' BOX puzzling IP . ', ' BOX temporarily . ', ' you BOX . '])
      expect(secondOpinion(sure, gist)).toBeNull();
  });

  test('is not asked of words that no table knows', () => {
    expect(secondOpinion(says({ says: 'policy_rejected', probability: 1 }), ' zodiac . ')).toBeNull();
  });

  test('never changes what a rule or a code decides', () => {
    const raws = ['550 User unknown', '552 mailbox full', '550 5.7.1 Zodiac', '550 your IP is blocked', '450 busy'];
    for (const reply of raws.map(rawReply))
      expect(classifyWith(sure, 'rcpt', reply)).toEqual(classifyWith(null, 'rcpt', reply));
  });

  test('is a share between 0 and 1 of any gist at all', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (gist) => {
        const probability = OWN_MODEL?.opinion(gist).probability ?? -1;
        expect(probability).toBeGreaterThan(0.24);
        expect(probability).toBeLessThanOrEqual(1);
      }),
    );
  });
});
