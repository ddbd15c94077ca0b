import { expect, test } from 'vitest';
import { isPatient, NO_OFFERS, offersOf } from './offers.ts';

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

test.each([
  ['250-SMTPUTF8 X=1', { smtpUtf8: true }],
  ['250 smtputf8', { smtpUtf8: true }],
  ['250-SMTPUTF8=1 ', { smtpUtf8: true }],
  ['250-Pipelining\tMAX=100', { pipelining: true }],
  ['250-PIPELINING  ', { pipelining: true }],
  ['250-STARTTLS REQUIRED', { startTls: true }],
  ['250 starttls=optional', { startTls: true }],
  ['250-XVERP=Courier', { tarpit: true }],
  ['250-XSMTPUTF8', {}],
  ['250-X SMTPUTF8', {}],
  ['250-PIPELININGS', {}],
])('%j is read with any parameters, in any case', (line, offers) => {
  const found = offersOf({ code: 250, enhanced: null, lines: ['PIPELINING mx.test', line.slice(4)] }, false);
  expect(found).toEqual({ ...NO_OFFERS, ...offers });
});
