import { expect, test } from 'vitest';
import { losesDigits } from './json-lines.ts';

test.each<[string, boolean]>([
  ['{"n":12345678901234567890}', true],
  ['{"n":[{"x":9007199254740993}]}', true],
  ['{"n":0.1234567890123456789}', true],
  ['{"n":1e400}', true],
  ['{"n":-1e-400}', true],
  ['{"n":9007199254740991}', false],
  ['{"n":0.30000000000000004}', false],
  ['{"n":-0.5,"m":1e3,"k":0}', false],
  ['{"n":"12345678901234567890"}', false],
  ['{"n\\"12345678901234567890":"\\\\"}', false],
])('%s loses digits as a number of JavaScript: %j', (json, loses) => {
  expect(losesDigits(json)).toBe(loses);
});
