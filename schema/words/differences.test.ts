import { expect, it } from 'vitest';
import { differenceLines } from './differences.ts';

it('a host that differs is named with where and how often, and one that does not tell is not', () => {
  const differs = [
    { provider: 'google', alone: 9, split: 0, of: 1_030 },
    { provider: 'others', alone: 6, split: 2, of: 40 },
  ];
  expect(differenceLines({ id: 'fra-1', differs })).toEqual([
    'fra-1 differs from its peers at google: alone in 9 of 1030 addresses',
    'fra-1 differs from its peers at unlisted providers: alone in 6 of 40 addresses, and in 2 without a third host to decide',
  ]);
  expect(differenceLines({ id: 'fra-1' })).toEqual([]);
});

it('what each host said stands with it: of three, the two that are sick alike name the healthy one', () => {
  const said = [
    { host: 'fra-1', accepts: 17, refuses: 13, noMail: 0 },
    { host: 'fra-2', accepts: 30, refuses: 0, noMail: 0 },
  ];
  expect(
    differenceLines({ id: 'fra-1', differs: [{ provider: 'google', alone: 13, split: 0, of: 30, said }] }),
  ).toEqual([
    'fra-1 differs from its peers at google: alone in 13 of 30 addresses (fra-1 accepted 17, refused 13, no mail 0; ' +
      'fra-2 accepted 30, refused 0, no mail 0)',
  ]);
});
