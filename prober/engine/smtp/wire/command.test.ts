import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress } from '../../../../schema/address.ts';
import { helloCommand, mailCommand, rcptCommand } from './command.ts';

test('commands are one line each', () => {
  expect(helloCommand('EHLO', 'probe.example.net')).toBe('EHLO probe.example.net\r\n');
  expect(mailCommand('v@probe.example.net', false)).toBe('MAIL FROM:<v@probe.example.net>\r\n');
  expect(mailCommand('v@probe.example.net', true)).toBe('MAIL FROM:<v@probe.example.net> SMTPUTF8\r\n');
  expect(rcptCommand('"a > b\\""', 'd.test')).toBe('RCPT TO:<"a > b\\""@d.test>\r\n');
});

test.each([
  ['a\r\nDATA', 'd.test'],
  ['a\n', 'd.test'],
  ['a\r', 'd.test'],
  ['a\0', 'd.test'],
  ['a\x7f', 'd.test'],
  ['"\\\x7f"', 'd.test'],
  ['a\\>', 'd.test'],
  ['"a\r\nb"', 'd.test'],
  ['"a\\\nb"', 'd.test'],
  ['a>', 'd.test'],
  ['a<', 'd.test'],
  ['"a"> SIZE=1 <', 'd.test'],
  ['a b', 'd.test'],
  ['"a', 'd.test'],
  ['"a\\"', 'd.test'],
  ['a', 'd.test>\r\nDATA'],
  ['a', 'd.test\r\n'],
  ['"\\', ''],
])('recipient %j at %j never reaches the wire', (local, domain) => {
  expect(() => rcptCommand(local, domain)).toThrow('mailbox');
});

test('an error contains no part of the address', () => {
  expect(() => rcptCommand('secret\n', 'd.test')).toThrow(/^(?!.*secret)/);
});

test('no text makes two lines or leaves the angle brackets', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '"', '\\', '>', '<', ' ', '\r', '\n', '\0', '@', 'é') }),
      (local) => {
        let line: string;
        try {
          line = rcptCommand(local, 'd.test');
        } catch {
          return;
        }
        expect(line.indexOf('\r\n')).toBe(line.length - 2);
        expect(line).not.toMatch(/[\0\r\n](?!\n?$)/);
        const path = line.slice('RCPT TO:<'.length, -'>\r\n'.length);
        expect(path.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')).not.toMatch(/[<> ]/);
      },
    ),
  );
});

test('every address that the parser accepts can be asked about', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.emailAddress(),
        fc.string({ unit: 'grapheme' }).map((s) => `"${s}"@d.test`),
      ),
      (text) => {
        const address = parseAddress(text);
        if (address === null) return;
        expect(rcptCommand(address.local, address.domain)).toBe(`RCPT TO:<${address.local}@${address.domain}>\r\n`);
      },
    ),
  );
});

test.each(['', 'a b', 'a\r\nb', 'a>b'])('%j is rejected as an EHLO name', (name) => {
  expect(() => helloCommand('EHLO', name)).toThrow('EHLO');
});

test('a line has at most 512 octets, including its end', () => {
  const around = 'RCPT TO:<@d.test>\r\n'.length;
  expect(rcptCommand('a'.repeat(512 - around), 'd.test')).toHaveLength(512);
  expect(() => rcptCommand('a'.repeat(513 - around), 'd.test')).toThrow('512');
  const umlauts = 'é'.repeat(Math.floor((512 - around) / 2));
  expect(() => rcptCommand(`${umlauts}a`, 'd.test')).not.toThrow();
  expect(() => rcptCommand(`${umlauts}é`, 'd.test')).toThrow('512');
});
