import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EdgeSettings } from '../../schema/enrolment.ts';
import { publicHalf } from '../../schema/jwk.ts';
import { makeKey } from '../../schema/testing/make-key.ts';
import { makeEnrolment } from '../testing/make-enrolment.ts';
import { readEnrolment } from './enrolment.ts';
import { keepSettings } from './settings-file.ts';

let folder: string;
let path: string;
const enrolment = { ...makeEnrolment('fra-1', 'https://rcpt.example'), madeAt: 1_000 };
const LEARNT: EdgeSettings = { shards: 4, edgeKeys: [publicHalf(makeKey())] };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rcpt-enrolment-'));
  path = join(folder, 'enrolment.json');
  writeFileSync(path, JSON.stringify(enrolment), { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the enrolment', () => {
  it('is read if only its owner can read it', () => {
    expect(readEnrolment(path, {})).toEqual(enrolment);
  });

  it.each([0o640, 0o604, 0o660, 0o440])('is rejected with mode %o, which lets others read the key', (mode) => {
    chmodSync(path, mode);
    expect(() => readEnrolment(path, {})).toThrow(`ENROLMENT: other users can read ${path}; run chmod 600 on it`);
  });

  it('may have the mode 0440 that systemd gives a credential, but only there', () => {
    chmodSync(path, 0o440);
    expect(readEnrolment(path, { CREDENTIALS_DIRECTORY: folder })).toEqual(enrolment);
    expect(() => readEnrolment(path, { CREDENTIALS_DIRECTORY: join(folder, 'other') })).toThrow('other users can read');
    chmodSync(path, 0o444);
    expect(() => readEnrolment(path, { CREDENTIALS_DIRECTORY: folder })).toThrow('other users can read');
  });

  it.each([
    ['is missing', () => rmSync(path), /cannot read .*; run join, or copy the file/],
    [
      'is empty',
      () => writeFileSync(path, ''),
      /is damaged or not an enrolment file; invite the host and join again, or run `admin host add`/,
    ],
    ['was cut', () => writeFileSync(path, JSON.stringify(enrolment).slice(0, 200)), /is damaged/],
    ['has half a key', () => writeFileSync(path, JSON.stringify({ ...enrolment, privateKey: {} })), /is damaged/],
  ])('gives advice in one line if it %s', (_name, spoil, words) => {
    spoil();
    expect(() => readEnrolment(path, {})).toThrow(words);
  });
});

describe('the keys and shards that a host got from its edge', () => {
  it('is stored beside the enrolment, for its owner alone, and leaves that unchanged', async () => {
    expect(await keepSettings(enrolment, LEARNT, 2_000, path, {})).toBeNull();
    expect(readEnrolment(path, {})).toEqual({ ...enrolment, ...LEARNT });
    expect(statSync(`${path}.edge`).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(enrolment);
    expect(readFileSync(`${path}.edge`, 'utf8')).not.toContain(enrolment.privateKey.d);
  });

  it('is stored in the state directory of a systemd unit', async () => {
    const state = mkdtempSync(join(folder, 'state-'));
    expect(await keepSettings(enrolment, LEARNT, 2_000, path, { STATE_DIRECTORY: state })).toBeNull();
    expect(readEnrolment(path, { STATE_DIRECTORY: state })).toMatchObject(LEARNT);
    expect(readEnrolment(path, {})).toEqual(enrolment);
  });

  it('is ignored under another or a later enrolment, or if it is damaged', async () => {
    await keepSettings({ ...enrolment, privateKey: makeKey() }, LEARNT, 2_000, path, {});
    expect(readEnrolment(path, {})).toEqual(enrolment);
    await keepSettings(enrolment, LEARNT, 999, path, {});
    expect(readEnrolment(path, {})).toEqual(enrolment);
    await keepSettings(enrolment, LEARNT, 2_000, path, {});
    writeFileSync(`${path}.edge`, readFileSync(`${path}.edge`, 'utf8').slice(0, -20));
    expect(readEnrolment(path, {})).toEqual(enrolment);
  });

  it('reports why it cannot be stored', async () => {
    expect(await keepSettings(enrolment, LEARNT, 2_000, join(folder, 'none', 'x'), {})).toBe('ENOENT');
  });
});
