import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exportedFile, type Read } from '../../edge/dashboard/lists/outcome/export.ts';
import { FOUND, openFile, type Table } from '../../edge/dashboard/lists/reading/open-file.ts';
import { indexedDbJournal } from '../../schema/client/browser/indexed-db-journal.ts';
import { GREYLISTED, resultOf, ScriptedService } from '../../schema/client/testing/scripted-service.ts';
import { KEEP_ALL } from '../../schema/list-job/keep.ts';
import { Scan } from '../../schema/list-job/scan.ts';
import { findAddressColumn } from '../../schema/lists/columns/address-column.ts';
import { appendedTo } from '../../schema/lists/columns/result-columns.ts';
import { notAnAddress, type OpenResult } from '../../schema/words/result.ts';
import { newFolder, rcpt } from '../rcpt/testing/command.ts';

// What the pages wrote the command reads, and the other way round: both have the same columns in the same order.

const OURS = appendedTo([]).names;
/** All of it, as the page hands it out at first. */
const WISH = { format: 'csv', keep: KEEP_ALL } as const;

let folder: string;
let service: ScriptedService;
let lists = 0;
beforeEach(async () => {
  lists += 1;
  folder = await newFolder();
  service = new ScriptedService();
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const read = async (name: string) => (await readFile(join(folder, name), 'utf8')).replace('\uFEFF', '');
const asked = (): readonly string[] => service.requests.flatMap(({ emails }) => emails).toSorted();

async function verify(...args: readonly string[]): Promise<string> {
  const paths = args.map((arg) => (/^\w+\.\w+$/.test(arg) ? join(folder, arg) : arg));
  const { code, err } = await rcpt(service, folder, ['verify', ...paths]);
  expect([code, err]).toEqual([0, err]);
  return err;
}

type Opened = Omit<Read, 'table'> & { readonly table: Table };

/** A file as the pages have it before they ask. */
async function opened(text: string, name = 'list.csv'): Promise<Opened> {
  const table = await openFile(new Blob([text]), name, FOUND);
  const rows = [];
  for await (const batch of table.rows()) rows.push(...batch.map(({ cells }) => cells));
  const found = findAddressColumn(table.names, rows);
  if (found.kind !== 'found') throw new Error('There is no column of addresses.');
  const { column } = found;
  const survey = new Scan(column, table.width);
  for (const cells of rows) survey.add(cells);
  return { list: { id: `list ${lists}`, choice: { ...FOUND, column, hasHeader: table.hasHeader } }, survey, table };
}

/** What the service says: addresses of y.test are put off. */
function said(email: string): Partial<OpenResult> {
  if (!email.includes('@')) return notAnAddress(email);
  return email.endsWith('y.test') ? GREYLISTED : { mx_records: ['mx1.test', 'mx2.test'] };
}

/** A file that the pages have verified, as they hand it back. */
async function exported(text: string): Promise<string> {
  const file = await opened(text);
  const journal = indexedDbJournal(file.list.id);
  await journal.open();
  for (const [index, email] of file.survey.addresses.entries())
    await journal.append({
      index,
      asked: 1,
      atMs: 1,
      result: resultOf(email, said(email)),
    });
  await journal.close();
  return (await exportedFile(file, WISH)).file.text();
}

const LIST =
  'id;E-Mail;Manager email\n1;a@x.test;m@x.test\n2;+b@y.test;m@x.test\n3;broken;\n4;A@x.test;"two\nlines; =1"\n5;;\n';

describe('a list that the pages wrote', () => {
  test('has the columns that the command writes, with the same in them', async () => {
    await write('pages.csv', await exported(LIST));
    await write('list.csv', LIST);
    service.says = said;
    await verify('list.csv', '-o', 'command.csv');
    const [pages, command] = await Promise.all(['pages.csv', 'command.csv'].map(read));
    expect(pages?.split('\r\n')[0]).toBe(['id', 'E-Mail', 'Manager email', ...OURS].join(';'));
    const plain = pages?.replaceAll('\r\n', '\n');
    expect(plain?.split('\n')).toEqual(command?.split('\n'));
  });

  test('can be verified again by the command with --only', async () => {
    await write('pages.csv', await exported(LIST));
    await verify('pages.csv', '--only', 'unknown', '-o', 'out.csv');
    expect(asked()).toEqual(['+b@y.test']);
    const before = (await read('pages.csv')).split('\r\n');
    const after = (await read('out.csv')).split('\r\n');
    expect(after.filter((line) => !before.includes(line))).toEqual([
      expect.stringMatching(/^2;\+b@y\.test;m@x\.test;valid;95;/),
    ]);
    expect(after).toHaveLength(before.length);
  });
});

test.each(['csv', 'tsv', 'jsonl'])('a list that the command wrote as %s can be opened by the pages', async (format) => {
  await write('list.csv', 'kontakt,id\na@x.test,1\nb@x.test,2\n');
  await verify('list.csv', '-o', `out.${format}`);
  const { list, survey, table } = await opened(await read(`out.${format}`), `out.${format}`);
  expect([list.choice, survey.addresses]).toEqual([{ ...FOUND, column: 0, hasHeader: true }, ['a@x.test', 'b@x.test']]);
  expect(table.names).toEqual(['kontakt', 'id', ...OURS]);
});
