import { afterEach, expect, it, vi } from 'vitest';
import { takeRaised } from '../base/paging.ts';
import { logUnsent } from './mailer.ts';

afterEach(() => vi.restoreAllMocks());

it.each<[string, unknown, boolean]>([
  ['a mailbox that bounced before', Object.assign(new Error('x'), { code: 'E_RECIPIENT_SUPPRESSED' }), false],
  ['a mailbox that may not be written to', Object.assign(new Error('x'), { code: 'E_RECIPIENT_NOT_ALLOWED' }), false],
  ['a domain that takes no mail', Object.assign(new Error('x'), { code: 'E_DELIVERY_FAILED' }), false],
  ['an address that is none', Object.assign(new Error('x'), { code: 'E_VALIDATION_ERROR' }), false],
  ['a failure without a code', new Error('connection lost'), false],
  ['what is no error', 'x', false],
  ['our own sender', Object.assign(new Error('x'), { code: 'E_SENDER_NOT_VERIFIED' }), true],
  ['the day that is used up', Object.assign(new Error('x'), { code: 'E_DAILY_LIMIT_EXCEEDED' }), true],
  ['the mail service itself', Object.assign(new Error('x'), { code: 'E_INTERNAL_SERVER_ERROR' }), true],
])('a mail that is not sent for %s alarms nobody, unless it is ours to mend', (_, error, isHeard) => {
  takeRaised();
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  logUnsent('mail_failed', { requestId: 'r' }, error);
  expect(takeRaised().map(({ event }) => event)).toEqual(isHeard ? ['mail_failed'] : []);
});
