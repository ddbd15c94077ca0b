import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guessWords } from './text.ts';
import { encode } from '../testing/encode.ts';
import { sourceOf } from '../testing/source.ts';
import { type List, openList, type Reading } from './list.ts';
import { UnreadableList } from './unreadable.ts';
import { tableOf } from './table.ts';
import { addressesInRow } from '../columns/address.ts';
import { findAddressColumn } from '../columns/address-column.ts';

const FOUND: Reading = { format: null, encoding: null, delimiter: null, sheet: null, rowsMax: Infinity };

const open = (content: string | Uint8Array, reading: Partial<Reading> = {}, name = 'list', most = Infinity) =>
  openList(sourceOf(content, name, most), { ...FOUND, ...reading });

/** Each with a slash between its cells. */
async function rowsOf({ rows }: List): Promise<string[]> {
  const all = [];
  for await (const batch of rows()) all.push(...batch.map(({ cells }) => cells.join('/')));
  return all;
}

const TWO = ['a/b', 'c/d'];

describe('a text file', () => {
  test.each([
    ['commas', 'a,b\nc,d\n', ','],
    ['semicolons and CRLF', 'a;b\r\nc;d\r\n', ';'],
    ['tabs', 'a\tb\nc\td', '\t'],
    ['bars', 'a|b\nc|d', '|'],
    ['carets', 'a^b\nc^d', '^'],
    ['quotes', '"a","b"\n"c","d"\n', ','],
    ['a byte order mark', '\uFEFFa,b\nc,d', ','],
  ])('with %s is read in pieces of any size, more than once', async (_name, text, delimiter) => {
    for (const most of [1, 2, 3, 1_000]) {
      const list = await open(text, {}, 'list', most);
      expect(await rowsOf(list)).toEqual(TWO);
      expect(await rowsOf(list)).toEqual(TWO);
      expect(list.style.delimiter).toBe(delimiter);
    }
  });

  test('separated by semicolons keeps its commas', async () => {
    expect(await rowsOf(await open('n;email\n"1,5";a@x.test\n2,5;b@x.test\n'))).toEqual([
      'n/email',
      '1,5/a@x.test',
      '2,5/b@x.test',
    ]);
  });

  test('may have one column', async () => {
    expect(await rowsOf(await open('ann@a.test\nbob@b.test\n'))).toEqual(['ann@a.test', 'bob@b.test']);
  });

  test('keeps its style for the output', async () => {
    expect((await open('\uFEFFa;b\r\nc;d\r\n')).style).toEqual({ delimiter: ';', newline: '\r\n', hasMark: true });
    expect((await open('a,b\nc,d\r\n')).style).toEqual({ delimiter: ',', newline: '\n', hasMark: false });
  });

  test.each([
    ['decimal commas and no header', ';', '12,50;a1@x.test;11,00\n9,00;a2@x.test;1,10\n7,25;;3,00\n'],
    ['decimal commas in the only other column', ';', 'a1@x.test;11,00\na2@x.test;12,50\n'],
    ['titles of one cell', ';', 'Report\n\nby\nAnn\nat, 12:00\n\nNr;Name;Mail\n1;Ann;a1@x.test\n'],
    ['several addresses in a cell', ',', 'id,mail\n1,a1@x.test; b1@x.test\n2,a2@x.test; b2@x.test\n'],
    ['names with commas', '\t', 'name\tmail\nLee, Ann\ta1@x.test\nRay, Bob\tb1@x.test\n'],
    ['lists in a cell', '|', 'tags|mail\na;b;c|a1@x.test\na;b;d|b1@x.test\n'],
    ['no address in sight', ';', 'id;name;price\n1;Ann;1,5\n2;Bob;2\n'],
    ['one column', ',', 'a1@x.test\na2@x.test\n'],
  ])('the separator is found in spite of %s', async (_name, delimiter, text) => {
    expect((await open(text)).style.delimiter).toBe(delimiter);
  });

  test('of any length is read whole: no character or row is cut', async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => [String(n), `"Zoë, ${n}"`, `ü${n}@bücher.test`]);
    const back = await rowsOf(await open(rows.map((row) => row.join(',')).join('\n')));
    expect(back).toEqual(rows.map(([id, name = '', email]) => `${id}/${name.slice(1, -1)}/${email}`));
  });

  test('with too many rows is refused', async () => {
    expect(await rowsOf(await open('head\nb\nc\n', { rowsMax: 2 }))).toHaveLength(3);
    await expect(open('head\nb\nc\nd\n', { rowsMax: 2 }).then(rowsOf)).rejects.toMatchObject({
      problem: 'too large',
      message:
        'The list has more than 2 rows: split it into smaller ones, or use the command rcpt, which takes 3,000,000.',
    });
  });
});

describe('CSV as it is found', () => {
  test.each([
    ['CRLF and LF in one file', 'a,b\r\nc,d\ne,"f"\r\n', ['a/b', 'c/d', 'e/f']],
    ['CR alone', 'a,"b\rc"\rd,x\r', ['a/b\rc', 'd/x']],
    ['a quotation mark in the middle', '5" disk,x\n', ['5" disk/x']],
    ['text behind a quoted cell', '"Bob" B,x\n"Ann ""the, 1st""" Lee,"y"\n', ['"Bob" B/x', '"Ann "the, 1st"" Lee/y']],
    ['text behind the last quoted cell', 'x,"Bob" B', ['x/"Bob" B']],
    ['spaces behind a quoted cell', '"Bob" ,x\n', ['Bob/x']],
    ['line ends in quotes behind such a cell', '"a" b,"c\r\nd"\r\n', ['"a" b/c\r\nd']],
  ])('is read with %s, in pieces of any size', async (_name, text, rows) => {
    for (const most of [1, 2, 3, 5, 1_000])
      expect(await rowsOf(await open(text, { delimiter: ',' }, 'list.csv', most))).toEqual(rows);
  });

  test('may end in an open quotation mark, which is refused with its line', async () => {
    for (const [text, line] of [
      ['id,email\r\n1,a@x.test\r\n"2,b@x.test\r\n', 3],
      ['id,name\n"Bob" B,\nx,"', 3],
    ] as const)
      await expect(open(text, {}, 'list', 7).then(rowsOf)).rejects.toThrow(`opens in line ${line} is never closed`);
  });

  test('with an endless row, or a quotation mark that takes in a long file, is refused early', async () => {
    await expect(open('x'.repeat(2_000_000), { format: 'csv' }).then(rowsOf)).rejects.toThrow(
      'Row 1 has more than 1,048,576 characters.',
    );
    const endless = `id,email\n1,"a\nb"\n"${'2,b@x.test\n'.repeat(1_000_000)}`;
    await expect(open(endless).then(rowsOf)).rejects.toThrow('opens in line 4 is never closed.');
  });

  test('is repaired in linear time', async () => {
    const rows = await rowsOf(await open('"Bob" B,"Ann" A\n'.repeat(40_000)));
    expect([rows.length, rows.at(-1)]).toEqual([40_000, '"Bob" B/"Ann" A']);
  });
});

const utf16 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'utf16le'));
const LATIN = Uint8Array.from(Buffer.from('a,b\nM\u00fcl,1\n', 'latin1'));

describe('the encoding', () => {
  test.each([
    ['UTF-16 with a mark, as Excel writes "Unicode text"', utf16('\uFEFFa\tb\nü\t1\n')],
    ['UTF-16 the other way round', Uint8Array.from(Buffer.from(utf16('\uFEFFa\tb\nü\t1\n')).swap16())],
    ['UTF-16 without a mark', utf16('a\tb\nü\t1\n')],
    ['UTF-16 without a mark, the other way round', Uint8Array.from(Buffer.from(utf16('a\tb\nü\t1\n')).swap16())],
    ['that of MS-DOS, if the user says so', encode('a\tb\nü\t1\n', 'ibm850'), 'CP850'],
  ])('may be %s', async (_name, bytes, encoding?: string) => {
    expect(await rowsOf(await open(bytes, encoding === undefined ? {} : { encoding }))).toEqual(['a/b', 'ü/1']);
  });

  test('is Windows-1252 if the user says so, or if it is not UTF-8', async () => {
    for (const reading of [{ encoding: 'windows-1252' }, {}]) {
      const list = await open(LATIN, reading);
      expect(await rowsOf(list)).toEqual(['a/b', 'Mül/1']);
      expect(list.encoding?.guessedBy === null).toBe('encoding' in reading);
      // Excel, which wrote it, reads UTF-8 only with the mark.
      expect(list.style.hasMark).toBe(true);
    }
  });

  test.each([
    ['NESTLÉ® Schweiz\nGroß…\n«CAFÉ»\n', 'windows-1252', 'NESTLÉ®, Groß…, «CAFÉ»'],
    ['Jörg,j@x.test\nMüller,m@x.test\n', 'ibm850', 'Jörg, Müller'],
    ['Łukasz,lukasz@x.test\nWójcik,w@x.test\n', 'windows-1250', 'Łukasz, Wójcik'],
  ])('that nobody names is found, and its words are shown: %j', async (text, label, guessedBy) => {
    const list = await open(encode(text, label));
    expect(list.encoding).toEqual({ label, hasMark: false, guessedBy });
    expect(guessWords({ label, hasMark: false, guessedBy })).toContain(`with words such as ${guessedBy}`);
    expect((await rowsOf(list)).join('\n')).toBe(text.trimEnd().replaceAll(',', '/'));
  });

  test('that the user names is used', async () => {
    expect(await rowsOf(await open(utf16('ü\n'), { encoding: 'utf-16le' }))).toEqual(['ü']);
    await expect(open(LATIN, { encoding: 'utf-8' }).then(rowsOf)).rejects.toMatchObject({ problem: 'encoding' });
    await expect(open('a', { encoding: 'klingon' })).rejects.toMatchObject({ problem: 'unknown encoding' });
  });

  test('is decided by the whole file', async () => {
    const bytes = Uint8Array.from([...Buffer.from('a,b\n'.repeat(20_000)), ...LATIN]);
    expect((await rowsOf(await open(bytes))).at(-1)).toBe('Mül/1');
    const read = open(bytes, { encoding: 'utf-8' }).then(rowsOf);
    await expect(read).rejects.toThrow('It is not in utf-8.');
  });

  test('is refused with the line if the file mixes two', async () => {
    const bytes = Uint8Array.from([...Buffer.from('a,ü\n'.repeat(20_000)), ...LATIN]);
    await expect(open(bytes).then(rowsOf)).rejects.toMatchObject({
      problem: 'encoding',
      message: 'Line 20002 is not in UTF-8, but others are. Save the file as UTF-8.',
    });
  });
});

test.each([
  ['commas', '"Name,Email"\n"Ann,ann@x.test"\n"Bob,bob@x.test"\n', ','],
  ['quotes of their own', '"Name,""Email"""\r\n"""Lee, Ann"",""ann@x.test"""\r\n', ','],
  ['semicolons', '"Name;Email"\n"Ann;ann@x.test"', ';'],
])('rows with %s that a spreadsheet put into one cell each are rows', async (_name, text, delimiter) => {
  const list = await open(text);
  const rows = (await rowsIn(list)).map(({ cells }) => cells);
  expect([list.style.delimiter, rows[0], rows[1]?.[1]]).toEqual([delimiter, ['Name', 'Email'], 'ann@x.test']);
});

test('rows that are not in one cell are left as they are', async () => {
  expect(await rowsOf(await open('"Lee; ""Ann, A""";ann@x.test\n"Ray";bob@x.test\n'))).toEqual([
    'Lee; "Ann, A"/ann@x.test',
    'Ray/bob@x.test',
  ]);
  expect(await rowsOf(await open('"Name"\n"Lee, Ann <ann@x.test>"\n"Ray, Bob <bob@x.test>"\n'))).toHaveLength(3);
});

test('a stray zero does not make binary data of a text, and stays where it is', async () => {
  expect(await rowsOf(await open(`name,email\nAnn\0,a@x.test\nBob,b@x.test\n`))).toEqual([
    'name/email',
    'Ann\0/a@x.test',
    'Bob/b@x.test',
  ]);
});

test.each([
  ['one address a line', 'a@x.test\n\nb@x.test\n \n\n'],
  ['lines of CSV', ',\nemail\n\na@x.test\n,,\nb@x.test\n\n'],
])('blank lines of %s are skipped', async (_name, text) => {
  const rows = await rowsOf(await open(text));
  expect(rows.filter((row) => row !== 'email')).toEqual(['a@x.test', 'b@x.test']);
});

describe('lines of JSON', () => {
  test('have all keys as columns and keep their text', async () => {
    const lines = [
      '{"email":"a@x.test","n":12345678901234567890}',
      '',
      '{ "other": null, "email": "b@x.test", "tags": ["x"] }',
    ];
    const list = await open(`${lines.join('\r\n')}\r\n`);
    expect(list.format).toBe('jsonl');
    const rows = [];
    for await (const batch of list.rows()) rows.push(...batch);
    expect(list.names).toEqual(['email', 'n', 'other', 'tags']);
    expect(rows.map(({ raw }) => raw)).toEqual([lines[0], lines[2]]);
    expect(rows[1]?.cells).toEqual(['b@x.test', '', '', '["x"]']);
  });

  test.each([
    ['nothing that is an object', '{"email":"a@x.test"}\n["b@x.test"]\n'],
    ['half a line', '{"email":"a@x.test"}\n{"ema'],
  ])('with %s are refused with the line', async (_name, text) => {
    await expect(open(text).then(rowsOf)).rejects.toThrow('Line 2 is not a JSON object');
  });
});

test.each([
  [
    'HubSpot',
    '{"results":[{"id":"1","properties":{"email":"a@x.test","name":"A"}},{"id":"2","properties":{"email":"b@x.test"}}],"paging":{"next":{"after":"2"}}}',
  ],
  [
    'JSON:API',
    '{"data":[{"attributes":{"email":"a@x.test"}},{"attributes":{"email":"b@x.test"}}],"included":[{"attributes":{"name":"x"}}]}',
  ],
  ['lines', '{"user":{"email":"a@x.test","n":1}}\n{"user":{"email":"b@x.test","tags":["x"]}}\n'],
  ['an array', '[{"contact":{"emails":{"work":"a@x.test"}}},{"contact":{"emails":{"work":"b@x.test"}}}]'],
  ['mixed rows', '{"email":"a@x.test","owner":{}}\n{"email":"b@x.test","owner":{"id":1e999}}\n'],
  [
    'a phpMyAdmin export',
    '[\n{"type":"header"},\n{"type":"database"},\n{"type":"table","name":"t","data":[{"email":"a@x.test"},{"email":"b@x.test"}]}\n]',
  ],
  ['SCIM', '{"Resources":[{"emails":[{"value":"a@x.test","primary":true}]},{"emails":["b@x.test"]}]}'],
  ['deep rows', '{"a":{"b":{"c":{"d":{"email":"a@x.test"}}}}}\n{"a":{"b":{"c":{"d":{"email":"b@x.test"}}}}}\n'],
])('objects in the objects of %s are columns of their own', async (_of, text) => {
  const table = await tableOf(await open(text, {}, 'list.json'), null);
  const rows = await rowsIn(table);
  const found = findAddressColumn(
    table.names,
    rows.map(({ cells }) => cells),
  );
  expect(found.kind).toBe('found');
  const column = found.kind === 'found' ? found.column : -1;
  expect(rows.flatMap(({ cells }) => addressesInRow(cells, column, Infinity))).toEqual(['a@x.test', 'b@x.test']);
  expect(rows.map(({ raw }) => JSON.parse(raw ?? ''))).toHaveLength(2);
});

test.each([
  ['by their numbers', '{"1":{"email":"a@x.test"},"2":{"email":"b@x.test"}}'],
  ['by column', '{"name":{"0":"A"},"email":{"0":"a@x.test","1":"b@x.test"}}'],
  ['by keys', '{"-Na":{"email":"a@x.test"},"-Nb":{"email":"b@x.test"},"-Nc":{"email":"c@x.test"}}'],
  ['in arrays', '{"values":[["email"],["a@x.test"],["b@x.test"]]}'],
])('one object with many addresses %s is not taken for a row', async (_how, text) => {
  const read = open(text, {}, 'list.json').then(rowsOf);
  await expect(read).rejects.toThrow('save it as one array, with an object for each row');
});

test('of the columns of a contact its own address is meant, not that of its owner', () => {
  const names = ['id', 'properties.email', 'owner.email'];
  expect(
    findAddressColumn(names, [
      ['1', 'a@x.test', 'o@x.test'],
      ['2', 'b@x.test', 'p@x.test'],
    ]),
  ).toEqual({ kind: 'found', column: 1 });
});

test('objects with ever new keys are cells, and are the same in each reading', async () => {
  const lines = Array.from({ length: 700 }, (_, n) => `{"email":"u${n}@x.test","by":{"k${n}":${n}}}`).join('\n');
  const list = await open(lines);
  const first = await rowsIn(list);
  expect(await rowsIn(list)).toEqual(first);
  expect(list.names).toHaveLength(514);
  expect(list.names?.at(-1)).toBe('by');
  expect(first.at(-1)?.cells.at(-1)).toBe('{"k699":699}');
});

const rowsIn = async (list: Pick<List, 'rows'>) => {
  const rows = [];
  for await (const batch of list.rows()) rows.push(...batch);
  return rows;
};

test('a list with more columns than a spreadsheet has, or of objects with ever new keys, is refused', async () => {
  const keys = Array.from({ length: 1_025 }, (_, nth) => `{"k${nth}":1}`).join('\n');
  await expect(open(keys).then(rowsOf)).rejects.toThrow('more than 1,024 different keys');
  await expect(open(`a@x.test${','.repeat(16_384)}`).then(rowsOf)).rejects.toThrow('more than 16,384 cells');
});

describe('a JSON array', () => {
  test('of objects is read like lines of JSON', async () => {
    const text =
      ' [\n  { "email": "a@x.test",\n    "n": 12345678901234567890.50, "tags": ["x, ]", {}] },\n  {"email":"b@x.test"}\n]\n';
    for (const most of [1, 7, 1_000]) {
      const list = await open(text, {}, 'list.json', most);
      await rowsIn(list);
      const rows = await rowsIn(list);
      expect([list.format, list.names]).toEqual(['jsonl', ['email', 'n', 'tags']]);
      expect(rows.map(({ cells }) => cells[0])).toEqual(['a@x.test', 'b@x.test']);
      expect(rows[0]?.raw).toBe('{"email":"a@x.test","n":12345678901234567890.50,"tags":["x, ]",{}]}');
    }
  });

  test('of strings is a list of addresses', async () => {
    const list = await open(String.raw`["a@x.test", "b\u0040x.test"]`);
    expect([await rowsOf(list), list.names]).toEqual([['a@x.test', 'b@x.test'], ['email']]);
    expect(await rowsOf(await open('[]'))).toEqual([]);
  });

  test.each([
    ['{"emails":["a@x.test","b@x.test"]}\n', 'email', 'a@x.test,b@x.test'],
    [
      '{\n "members": [\n  {"email_address": "a@x.test", "tags": [{"id": 1}]},\n  {"email_address": "b@x.test"}\n ],\n "total": 2\n}',
      'email_address',
      'a@x.test,b@x.test',
    ],
    ['{"data":{"page":1,"contacts":[{"mail":"a@x.test"}]},"links":["next"]}', 'mail', 'a@x.test'],
    ['{"ok":true,"results":[["x"],["y"]],"list":[{"e":"a@x.test"}]}', 'e', 'a@x.test'],
    [
      '{"members":[{"e":"a@x.test","_links":[{"rel":"self"}]}],"_links":[{"rel":"self"},{"rel":"next"}]}',
      'e',
      'a@x.test',
    ],
    ['{\n"errors":[{"n":1}],"data":{"tags":[{"id":1}],"items":[{"n":1},{"e":"a@x.test"}]}}', 'n', '1,'],
    ['{"email":"a@x.test","tags":["x"],"aliases":["b@x.test"]}', 'email', 'a@x.test'],
    ['{\n"email": "a@x.test"\n}\n', 'email', 'a@x.test'],
    ['{"email":"a@x.test","friends":[{"email":"b@x.test"}]}\n{"email":"c@x.test"}\n', 'email', 'a@x.test,c@x.test'],
  ])('may stand in an object, which is otherwise a row: %j', async (text, name, emails) => {
    for (const most of [1, 1_000]) {
      const list = await open(text, {}, 'list.json', most);
      const rows = await rowsIn(list);
      expect([list.names?.[0], rows.map(({ cells }) => cells[0]).join()]).toEqual([name, emails]);
    }
  });

  test.each([
    ['that is cut off', '[{"email":"a@x.test"},', 'not whole JSON'],
    ['with text behind it', '["a@x.test"]\n["b@x.test"]', 'not whole JSON'],
    ['of other things', '["a@x.test", 7]', 'Element 2 is neither'],
    ['of other things from the start', '[null, "a@x.test"]', 'Element 1 is neither'],
    ['with half a string', '["a@x.test", "b', 'not whole JSON'],
  ])('%s is refused with an explanation', async (_name, text, words) => {
    for (const most of [1, 1_000]) await expect(open(text, {}, 'list.json', most).then(rowsOf)).rejects.toThrow(words);
  });

  test('of more than 50 MB is refused with advice', async () => {
    const text = `["${'a'.repeat(50_000_000)}`;
    await expect(open(text).then(rowsOf)).rejects.toThrow('Save the list with one object a line.');
  });
});

describe('a file with a misleading name', () => {
  test.each([
    ['lines of JSON called .csv', 'list.csv', '{"email":"a@x.test"}\n', ['a@x.test']],
    [
      'a table whose first cell is an image',
      'list.csv',
      '<img src=x>,email\n<b>1</b>,a@x.test\n',
      ['<img src=x>/email', '<b>1</b>/a@x.test'],
    ],
    ['a table called .jsonl', 'list.jsonl', 'id,email\n1,a@x.test\n', ['id/email', '1/a@x.test']],
    ['commas called .tsv', 'list.tsv', 'id,email\n1,a@x.test\n', ['id/email', '1/a@x.test']],
    ['text called .xlsx', 'list.xlsx', 'id,email\n1,a@x.test\n', ['id/email', '1/a@x.test']],
    ['a table called .txt', 'list.txt', 'a@x.test;Ann\nb@x.test;Bob\n', ['a@x.test/Ann', 'b@x.test/Bob']],
  ])('is read by its content: %s', async (_name, name, text, rows) => {
    expect(await rowsOf(await open(text, {}, name))).toEqual(rows);
  });
});

describe('the sep= line of Excel', () => {
  test.each(['sep=;\n', 'SEP=;\r\n', '"sep=;"\r\n', '\uFEFFsep=;\n'])(
    '%j names the separator and is no row',
    async (line) => {
      for (const most of [1, 1_000]) {
        const list = await open(`${line}a;b,c\nd;e,f\n`, {}, 'list.csv', most);
        expect([list.style.delimiter, await rowsOf(list)]).toEqual([';', ['a/b,c', 'd/e,f']]);
      }
    },
  );

  test('counts in line numbers of errors', async () => {
    const text = 'sep=;\nid;email\n1;a@x.test\n2;"b@x.test\n';
    await expect(open(text).then(rowsOf)).rejects.toThrow('opens in line 4 is never closed');
  });
});

describe('a quotation mark that is not closed', () => {
  const rows = Array.from({ length: 9 }, (_, n) => `${n},N${n},u${n}@x.test`);
  const TEXT = [
    'id,name,email',
    ...rows.slice(0, 3),
    '3,"Ann,u3@x.test',
    ...rows.slice(4, 7),
    '7,"Zed",u7@x.test',
    '',
  ].join('\n');

  test('and takes rows into a cell with text behind it is refused with its line', async () => {
    const words = 'The quotation mark that opens in line 5';
    for (const most of [3, 1_000]) await expect(open(TEXT, {}, 'list', most).then(rowsOf)).rejects.toThrow(words);
  });

  test('is not confused with multi-line cells', async () => {
    const text =
      'id,email,note\n1,a@x.test,"wrote to b@x.test, no answer\nsecond, and last"\n2,"c@x.test\nd@x.test",x\n';
    expect(await rowsOf(await open(text))).toHaveLength(3);
  });
});

describe('a file called .txt', () => {
  test.each([
    ['has an address a line', '"a,b"@x.test\nb@x.test\n', 'text', ['"a,b"@x.test', 'b@x.test']],
    ['may end its lines in CR alone', 'a@x.test\rb@x.test\r', 'text', ['a@x.test', 'b@x.test']],
    ['may name them', 'email\na@x.test\n', 'text', ['email', 'a@x.test']],
    ['may end each with a separator', 'a@x.test;\nb@x.test;\n', 'text', ['a@x.test;', 'b@x.test;']],
    [
      'may be a table',
      'name;email\nAnn;a@x.test\nBob;b@x.test\n',
      'csv',
      ['name/email', 'Ann/a@x.test', 'Bob/b@x.test'],
    ],
    ['may be a table', 'id\temail\n1\ta@x.test\n', 'csv', ['id/email', '1/a@x.test']],
  ])('%s', async (_name, text, format, rows) => {
    const list = await open(text, {}, 'list.txt');
    expect([list.format, await rowsOf(list), list.names]).toEqual([format, rows, null]);
  });
});

test('with --format text each line is one address, separators and quotation marks included', async () => {
  const list = await open('"a, b"@x.test\r\n\nb@x.test', { format: 'text' });
  expect([await rowsOf(list), list.names]).toEqual([['"a, b"@x.test', 'b@x.test'], ['email']]);
});

test.each<readonly [name: string, bytes: readonly number[], words: string]>([
  ['an old Excel file', [0xd0, 0xcf, 0x11, 0xe0], 'Save it as .xlsx'],
  ['a compressed file', [0x1f, 0x8b, 8, 0], 'gunzip'],
  ['a PDF', [0x25, 0x50, 0x44, 0x46, 0x2d], 'This is a PDF'],
  ...[
    '<html><table>',
    '\n<style>td{}</style><table>',
    '<head><title>x</title>',
    '<meta charset="utf-8">',
    '<div class="a"><table><tr>',
    '<b>Report</b><br>',
    '<center><font size=2>x</font>',
    '<!-- x -->',
    '<x:sheet xmlns:x="y"></x:sheet>',
    'MIME-Version: 1.0\r\nX-Document-Type: Workbook\r\n',
    'From: <Saved>\r\nSubject: x\r\nMIME-Version: 1.0\r\n',
  ].map((text): [string, number[], string] => [text, [...Buffer.from(text)], 'This is a web page']),
  ['vCards', [...Buffer.from('BEGIN:VCARD\r\nVERSION:3.0\r\n')], 'These are vCards'],
  ['noise without a zero', Array.from({ length: 100 }, (_, n) => (n % 7) + 1), 'not a text file'],
  ['UTF-32', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], 'not a text file'],
  ['UTF-32 without a mark', [0x61, 0, 0, 0, 0x62, 0, 0, 0], 'not a text file'],
  ['a picture', [0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0], 'not a text file'],
  ['noise that begins with a zero', Array.from({ length: 5_000 }, (_, n) => (n * 7_919) % 256), 'not a text file'],
  ['half a ZIP file', [0x50, 0x4b, 0x03, 0x04, 1, 2, 3], 'is incomplete'],
])('%s is refused with an explanation', async (_name, bytes, words) => {
  const read = open(Uint8Array.from(bytes)).then(rowsOf);
  await expect(read).rejects.toThrow(words);
  await expect(read).rejects.toBeInstanceOf(UnreadableList);
});

test('any bytes are read or refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }), async (bytes, most) => {
      const read = open(bytes, {}, 'list', most).then(rowsOf);
      await read.catch((error: unknown) => expect(error).toBeInstanceOf(UnreadableList));
    }),
    { numRuns: 200 },
  );
});
