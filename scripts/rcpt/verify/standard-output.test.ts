import { rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedService } from '../../../schema/client/testing/scripted-service.ts';
import { newFolder, rcpt } from '../testing/command.ts';

// Who reads standard output may read slowly, or leave.

let folder: string;
let service: ScriptedService;
beforeEach(async () => {
  folder = await newFolder();
  service = new ScriptedService();
  // 1,200 addresses are three requests, and the account has credits for all of them.
  service.charged = -1_000;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const LIST = Array.from({ length: 1_200 }, (_, n) => `u${n}@d${n % 60}.test\n`).join('');

/** A reader, who may leave at the first row, and a promise that is kept when this many lines have come. */
function reader(leaves: boolean, lines: number): { readonly output: Writable; readonly row: Promise<void> } {
  const { promise: row, resolve } = Promise.withResolvers<void>();
  let come = 0;
  const output = new Writable({
    decodeStrings: false,
    write: (piece: string, _encoding, done) => {
      come += piece.split('\n').length - 1;
      if (come >= lines) resolve();
      done(leaves ? Object.assign(new Error('broken pipe'), { code: 'EPIPE' }) : null);
    },
  });
  return { output, row };
}

test('all rows that are answered can be read before the next one is', async () => {
  const { output, row } = reader(false, 501);
  service.answers = async (asked, nth) => {
    if (nth > 0) await row;
    return service.answer(asked);
  };
  expect(await rcpt(service, folder, ['verify', '-'], { stdin: LIST, output })).toMatchObject({ code: 0 });
});

test('a closed standard output ends the run and aborts requests in progress', async () => {
  const { output } = reader(true, 0);
  service.answers = (_asked, nth, signal) =>
    nth === 0 ? null : new Promise((_, failed) => signal.addEventListener('abort', () => failed(signal.reason)));
  const { code, err } = await rcpt(service, folder, ['verify', '-'], { stdin: LIST, output });
  expect({ code, err }).toMatchObject({
    code: 7,
    err: expect.stringContaining('The reader of standard output has closed it.'),
  });
  expect([service.inFlight, service.answered.size]).toEqual([0, 500]);
});
