import { expect, test } from 'vitest';
import { isPatient } from './offers.ts';

test.each([
  ['mx.test ESMTP Postfix', true],
  ['mail.example.com ESMTP Postfix (Debian/GNU)', true],
  ['mx.test ESMTP Exim 4.96 Mon, 23 Nov 2026 10:00:00 +0000', true],
  ['*** ESMTP (Postfix)', true],
  ['postfix.example.com Microsoft ESMTP MAIL Service', false],
  ['exim Microsoft ESMTP MAIL Service', false],
  ['mx.test ESMTP relayed by postfix.example.com', false],
  ['mx.test ESMTP postfix-gateway.example.com', false],
])('a server that greets with "%s" tolerates more refusals: %s', (line, isMore) => {
  expect(isPatient({ code: 220, enhanced: null, lines: [line] })).toBe(isMore);
});
