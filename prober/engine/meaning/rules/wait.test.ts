import { describe, expect, test } from 'vitest';
import { askedWaitS, knownWaitS } from './wait.ts';

describe('the wait that a reply asks for', () => {
  test.each([
    [300, 'try again in 5 minutes'],
    [300, 'retry after 300 seconds'],
    [300, 'Retry-After: 300'],
    [299, 'please wait 00:04:59'],
    [300, 'greylisted for 00:05:00'],
    [240, 'try again in 0:04:00'],
    [60, 'Sender address rejected: Greylisted for 60 sec.'],
    [180, 'Greylisting, try again in 180 seconds'],
    [1200, 'You are greylisted for 20 minutes.'],
    [3600, 'Too many messages, come back in an hour'],
    [7200, 'blocked, try again in 2 hours'],
    [86_400, 'please retry in 1 day'],
    [300, 'Bitte versuchen Sie es in 5 Minuten erneut'],
    [300, 'Veuillez réessayer dans 5 minutes'],
    [300, 'Intente de nuevo en 5 minutos'],
    [300, 'Tente novamente em 5 minutos'],
    [300, 'Riprovare tra 5 minuti'],
    [300, 'Probeer het opnieuw over 5 minuten'],
    [300, 'Spróbuj ponownie za 5 minut'],
    [300, 'Повторите попытку через 5 минут'],
    [300, '请在5分钟后重试'],
    [300, '5分後に再試行してください'],
    [1800, 'try again in 1,800 seconds'],
    [5400, 'Bitte versuchen Sie es in 1,5 Stunden erneut'],
    [270, 'You have been greylisted, try again in 4 minutes and 30 seconds'],
    [5_400, 'greylisted, retry in 1 hour 30 minutes'],
    [80, 'Bitte versuchen Sie es in 1 Minute und 20 Sekunden erneut'],
    [300, 'try again in 5 minutes, 300 seconds'],
    [600, 'try again in 10 minutes, not 30 messages per 60 seconds'],
    [31_536_000, 'try again in 999999 days'],
  ])('is %i s in "%s"', (seconds, text) => {
    expect(askedWaitS(text)).toBe(seconds);
  });

  test.each([
    'Please try again later',
    'Please try again later and contact the postmaster',
    'Messages temporarily deferred due to unexpected volume and user complaints',
    'You may send 30 messages per 60 seconds',
    'Too many connections in the last 30 minutes',
    'try again later, id 5 minutiae',
    'Server busy 12:30:45',
    'Greylisted at 12:30:45',
    'Greylisted since 10 minutes, try again later',
    'try again after 12:30:45',
    'Greylisting in action since 2026-11-23 12:30:45 UTC, try again',
    'bitte warten Sie bis 12:30:45',
    '',
  ])('is null in "%s"', (text) => {
    expect(askedWaitS(text)).toBeNull();
  });
});

test.each([
  ['4.2.1', '4.2.1 The user you are trying to contact is receiving mail at a rate that prevents', 3600],
  ['4.2.1', '4.2.1 The user you are trying to contact is receiving mail too quickly.', 3600],
  ['4.4.4', '4.4.4 Mail received as unauthenticated, ... which has no mail-enabled subscriptions. ATTR5', 86_400],
  // The same codes with other words, and the same words with another code.
  ['4.2.1', '4.2.1 Mailbox temporarily disabled', null],
  ['4.4.4', '4.4.4 Recipients belong to multiple regions', null],
  ['4.7.28', '4.7.28 receiving mail at a rate', null],
  [null, 'is receiving mail at a rate', null],
])('with %s, "%s" asks for a wait of %s s', (enhanced, text, waitS) => {
  expect(knownWaitS(enhanced, text)).toBe(waitS);
});
