import { expect, test } from 'vitest';
import { addressesInText, heldIn, heldInRow, looksLikeAddress } from './address.ts';

/** The address in a cell, or what it holds instead. */
const held = (cell: string): string => {
  const found = heldIn(cell);
  return found.kind === 'address' ? found.email : found.kind;
};

test.each([
  [' ann@a.test\r', 'ann@a.test'],
  [' Ann Lee <ann@a.test> ', 'ann@a.test'],
  ['"Müller, Jörg" <ann@a.test>', 'ann@a.test'],
  ['Ann <ann@a.test>;', 'ann@a.test'],
  ["'ann@a.test'", 'ann@a.test'],
  ["'+ann@a.test", '+ann@a.test'],
  ["'ann@a.test", "'ann@a.test"],
  ['“ann@a.test”', 'ann@a.test'],
  ['mailto:ann@a.test?subject=Hi', 'ann@a.test'],
  ['Ann <MAILTO:ann@a.test>', 'ann@a.test'],
  ['mailto:ann%2Btag%25@a.test?subject=50%', 'ann+tag%@a.test'],
  ['MAILTO:ann%40a.test', 'ann@a.test'],
  ['mailto:50%@a.test', '50%@a.test'],
  ['SMTP:ann%2B@a.test', 'ann%2B@a.test'],
  ['SMTP:ann@a.test', 'ann@a.test'],
  ['1. ann@a.test', 'ann@a.test'],
  ['23) Ann Lee <ann@a.test>', 'ann@a.test'],
  ['• ann@a.test', 'ann@a.test'],
  ['- mailto:ann@a.test', 'ann@a.test'],
  ['*\tann@a.test', 'ann@a.test'],
  ['-ann@a.test', '-ann@a.test'],
  ['="ann@a.test"', 'ann@a.test'],
  ['[ann@a.test](mailto:ann@a.test)', 'ann@a.test'],
  ['Ann Lee (ann@a.test)', 'ann@a.test'],
  ['ann@a.test (Ann Lee)', 'ann@a.test'],
  ['Lee [ann@a.test]', 'ann@a.test'],
  ['["ann@a.test"]', 'ann@a.test'],
  ['[{"type":"work","value":"ann@a.test"}]', 'ann@a.test'],
  ['ann@a.test.', 'ann@a.test'],
  ['ann@a.test。', 'ann@a.test'],
  ['ann@a.test\0\0', 'ann@a.test'],
  ['Ann <ann@a.test．>', 'ann@a.test'],
  ['ann@例え。テスト', 'ann@例え。テスト'],
  ['\u00A0ann@a.test,\u200B', 'ann@a.test'],
  ['\u202Aann@a.test\u202C', 'ann@a.test'],
  ['Ann <\u2068ann@a.test\u2069>', 'ann@a.test'],
  ['\u061Ca\u00ADnn@a.te\u2060st\u3164', 'ann@a.test'],
  ['n\u200Cn@a.test', 'n\u200Cn@a.test'],
  ['Ann@A.test; ann@a.test', 'Ann@A.test'],
  ['ann@a.test <ann@a.test>', 'ann@a.test'],
  ['"ann@home" <ann@a.test>', 'ann@a.test'],
  // The service says what is wrong with these.
  ['ann@gmail', 'ann@gmail'],
  ['ann@@a.test', 'ann@@a.test'],
  ['ann@b@a.test', 'ann@b@a.test'],
  ['ann@a..test', 'ann@a..test'],
  ['ann@[192.0.2.1]', 'ann@[192.0.2.1]'],
])('in %j is %s', (cell, address) => {
  expect(held(cell)).toBe(address);
});

test.each([
  ['several', 'ann@a.test; bob@b.test'],
  ['several', 'Ann <ann@a.test>, Bob <bob@b.test>'],
  ['several', 'ann@a.test bob@b.test'],
  ['several', 'ann@a.test|bob@b.test'],
  ['several', 'ann@a.test ::: bob@b.test'],
  ['several', 'ann@a.test:::bob@b.test'],
  ['several', 'ann@a.test、bob@b.test'],
  ['several', 'ann@a.test/bob@b.test'],
  ['several', 'mailto:ann@a.test & mailto:bob@b.test'],
  ['several', 'ann@a.test\nbob@b.test'],
  ['several', '["ann@a.test","bob@b.test"]'],
  ['several', `ann@a.test ${'; bob@b.test'.repeat(50)}`],
  ['none', 'n/a'],
  ['none', '-'],
  ['none', 'John Smith +49 170 1234567'],
  ['none', 'ann lee@a.test'],
  ['none', 'ann at a.test'],
  ['none', '[ann lee@a.test]'],
  ['none', '["ann lee@a.test"]'],
  ['none', '@ann'],
  ['none', 'ann@'],
  ['none', 'ann @ a.test or ask'],
  ['none', 'https://a.test/@ann'],
  ['none', 'https://a.test/ann@b.test'],
  ['none', 'Homepage: ftp://ann@b.test'],
  ['none', '<sftp://ann@b.test>'],
  ['none', 'a1@a.test;11'],
  ['none', `${'a'.repeat(400)}@a.test`],
  ['none', `${'x '.repeat(195)}<ann@a.test>`],
  ['empty', '\u00A0\u200B'],
])('%s: %j', (kind, cell) => {
  expect(held(cell)).toBe(kind);
});

test('a column is known by cells that surely are addresses', () => {
  const sure = [
    'ann@a.test',
    ' Ann <ann@a.test>',
    '"Lee; Ann"@a.test',
    'r/d@a.test',
    '["ann@a.test"]',
    '="ann@a.test"',
    '• ann@a.test',
    '[ann@a.test]',
    `${' '.repeat(64_000)}ann@a.test`,
  ];
  const unsure = ['ann@a', 'Ann (ann@a.test)', 'a@b@c.test', 'Ann;ann@a.test', 'ann@a.test;bob@b.test'];
  expect([sure, unsure].map((cells) => cells.map(looksLikeAddress))).toEqual([
    sure.map(() => true),
    unsure.map(() => false),
  ]);
});

test.each([
  [['1', 'Lee', ' Ann', 'ann@a.test'], 2, 3, 'ann@a.test'],
  [['1', 'Lee', ' Ann', 'ann@a.test', 'boss@a.test'], 2, 3, null],
  [['1', 'Lee', 'broken', 'boss@a.test'], 2, 4, null],
  [['1', 'Lee', 'ann@a.test', 'boss@a.test'], 2, 3, 'ann@a.test'],
])('in a row with extra cells the only address is used: %j', (cells, column, width, email) => {
  expect(heldInRow(cells, column, width)).toEqual(
    email === null ? { kind: 'none' } : expect.objectContaining({ email }),
  );
});

test.each([
  ['one', ' ann@a.test ', ['ann@a.test']],
  ['none', ' \n , ; no address @ann', []],
  ['brackets', 'Ann [ann@a.test], {bob@b.test}', ['ann@a.test', 'bob@b.test']],
  ['one a line', 'ann@a.test\r\nbob@b.test\n', ['ann@a.test', 'bob@b.test']],
  ['commas, semicolons and spaces', 'a@a.test, b@b.test;c@c.test d@d.test', 'abcd'],
  ['names with brackets', 'Ann Lee <ann@a.test>, "Bob" <bob@b.test>', ['ann@a.test', 'bob@b.test']],
  ['no separator', 'Ann <ann@a.test> Bob <bob@b.test>', ['ann@a.test', 'bob@b.test']],
  ['names with commas', '"Lee, Bob" <bob@b.test>; "Ray, Al" <al@a.test>', ['bob@b.test', 'al@a.test']],
  ['rows of a table', 'Ann\tann@a.test\tBerlin\r\nBob\tbob@b.test\tBonn\r\n', ['ann@a.test', 'bob@b.test']],
  ['rows of CSV', '"Ann","ann@a.test","Berlin"\n"Bob","bob@b.test","Bonn"', ['ann@a.test', 'bob@b.test']],
  [
    'a sentence',
    'Please write to ann@a.test. Or bob@b.test! (cc al@a.test?)',
    ['ann@a.test', 'bob@b.test', 'al@a.test'],
  ],
  ['a sentence in Chinese', '邮箱：ann@a.test。谢谢', ['ann@a.test']],
  ['links', '<a href="mailto:ann@a.test?subject=Hi">Ann</a> <a href=mailto:bob@b.test>', ['ann@a.test', 'bob@b.test']],
  ['JSON', '{"emails":["ann@a.test","bob@b.test"]}', ['ann@a.test', 'bob@b.test']],
  [
    'a header of a message',
    'To: Ann <ann@a.test>,\n\tbob@b.test\nCc: al@a.test',
    ['ann@a.test', 'bob@b.test', 'al@a.test'],
  ],
  ['marks that nobody sees', '\u061Cann@a.test\u200B, b\u00ADob@b.test', ['ann@a.test', 'bob@b.test']],
  ['the same in other letters', 'Ann@A.test\nann@a.test', ['Ann@A.test']],
  ['typing errors', 'ann@gmail, bob@@b.test', ['ann@gmail', 'bob@@b.test']],
  ['addresses of the web', 'ann@a.test https://b.test/bob@b.test, <ftp://al@a.test>', ['ann@a.test']],
  ['a quoted local part', '"ann lee"@a.test', ['"ann lee"@a.test']],
])('in pasted text with %s every address is found', (_name, text, found) => {
  const emails = found === 'abcd' ? Array.from(found, (letter) => `${letter}@${letter}.test`) : found;
  expect(addressesInText(text)).toEqual(emails);
});
