import { expect, test } from 'vitest';
import { classify } from './classify.ts';
import type { Stage } from '../ports/ports.ts';
import { readReply } from './outcome.ts';
import { type Complaint, complaintOf } from './complaint.ts';

function complaintOfLine(stage: Stage, line: string): Complaint | null {
  const code = Number(line.slice(0, 3));
  const enhanced = /^\d{3} ([245]\.\d+\.\d+)/.exec(line)?.[1] ?? null;
  const answer = readReply(classify, stage, { code, enhanced, lines: [line.slice(4)] });
  return complaintOf(stage, answer);
}

function read(stage: Stage, line: string): string {
  const complaint = complaintOfLine(stage, line);
  return complaint === null ? 'nothing' : `${complaint.when} ${complaint.why}`;
}

const ASKED = 'opening asked_too_much';
const BLOCKED = 'opening blocked';

test.each<readonly [Stage, string, string]>([
  ['greeting', '421 4.3.2 Service not available, try later', ASKED],
  ['greeting', '421 4.7.0 mx.example.net Error: too many connections from 192.0.2.1', ASKED],
  ['greeting', '450 Too many concurrent SMTP connections from your host', ASKED],
  ['greeting', '451 4.3.0 Temporary local problem', 'nothing'],
  ['greeting', '554 No SMTP service here', ASKED],
  ['greeting', '521 example.net does not accept mail', 'nothing'],
  ['greeting', '554 Your IP 192.0.2.1 is listed at zen.spamhaus.org', BLOCKED],
  ['greeting', '421 cmsmtp 192.0.2.1 blocked. Refer to Error Codes', BLOCKED],
  ['greeting', '554 5.7.1 banned sending IP', BLOCKED],
  ['ehlo', '550 5.7.1 Client host rejected: cannot find your reverse hostname', ASKED],
  ['ehlo', '550 go away', 'nothing'],
  ['ehlo', '421 4.4.5 Rate limit exceeded', ASKED],
  ['mail', '550 5.7.1 Your network reputation is poor', ASKED],
  ['mail', '450 4.7.1 Client host rejected: cannot find your hostname', ASKED],
  ['mail', '450 4.7.1 Greylisted, please come back in 300 seconds', 'nothing'],
  ['mail', '451 4.7.1 Greylisted, your IP is temporarily blocked for 5 minutes', 'nothing'],
  ['greeting', '421 4.7.0 Your IP is temporarily blocked, try again in 10 minutes', ASKED],
  ['greeting', '421 4.7.0 Your IP is blocked, try again in 24 hours', BLOCKED],
  ['mail', '550 5.1.8 Sender address rejected: Domain not found', 'nothing'],
  ['mail', '530 5.7.0 Must issue a STARTTLS command first', 'nothing'],
  ['mail', '550 Your message from<user>blocked', BLOCKED],
  ['mail', '421 4.7.0 Too many errors in this session', 'nothing'],
  ['mail', '421 4.7.0 too many messages in this session', 'nothing'],
  ['mail', '421 4.7.0 Only 10 mails per connection', 'nothing'],
  ['rcpt', '450 4.7.1 Error: too many recipients from 192.0.2.1', 'rcpt asked_too_much'],
  ['rcpt', '451 too many recipients in an hour', 'rcpt asked_too_much'],
  ['rcpt', '550 Your message rate (12.0/1m) is too high', 'rcpt asked_too_much'],
  ['rcpt', '550 5.4.6 Throttled, slow down', 'rcpt asked_too_much'],
  ['rcpt', '452 4.5.3 Too many recipients', 'nothing'],
  ['rcpt', '452 too many recipients per message', 'nothing'],
  ['rcpt', '451 4.7.1 Greylisted, you sent too many messages', 'nothing'],
  ['rcpt', '550 5.1.1 no such user, rates apply', 'nothing'],
  ['rcpt', '421 4.3.2 closing', 'rcpt asked_too_much'],
  ['rcpt', '450 4.7.1 Try again later, you are too fast', 'rcpt asked_too_much'],
  ['rcpt', '550 5.7.1 Client host blocked using Spamhaus', 'rcpt blocked'],
  ['rcpt', '550 Your IP is on our block list', 'rcpt blocked'],
  ['rcpt', '554 5.7.1 <a@b.example>: Recipient address rejected: Access denied', 'nothing'],
  ['rcpt', '421 4.7.0 mx.example.net Error: too many errors', 'nothing'],
  ['rcpt', '421 Too many invalid recipients', 'nothing'],
  ['rcpt', '452 4.5.3 Too many recipients', 'nothing'],
  ['rcpt', '421 4.5.3 any text', 'nothing'],
  ['rcpt', '450 4.2.1 greylisted', 'nothing'],
  ['rcpt', '550 5.1.1 no such user', 'nothing'],
  ['rcpt', '550 5.1.1 Mailbox blocked: no such user', 'nothing'],
  ['rcpt', '250 2.1.5 not blocked', 'nothing'],
  ['rcpt', '550 5.7.1 <blocked.by.spamhaus@example.com>: policy', 'rcpt asked_too_much'],
  ['rcpt', '550 5.7.1 banned@example.com is not for you, client', 'rcpt asked_too_much'],
])('at %s "%s" is read as a complaint of %s', (stage, line, expected) => {
  expect(read(stage, line)).toBe(expected);
});

test.each<readonly [string, boolean]>([
  ['421 4.7.0 mx.example.net Error: too many connections from 192.0.2.1', true],
  ['450 Too many concurrent SMTP connections from your host', true],
  ['421 4.3.2 The maximum number of concurrent connections has exceeded a limit', true],
  ['421 4.3.2 Too many open connections.', true],
  ['421 mx Too many connected clients, try again in a moment', true],
  ['421 connection limit reached', true],
  ['421 You have exceeded the number of sessions', true],
  ['421 only 5 connections allowed from your IP', true],
  ['421 Sorry, no more connections accepted', true],
  ['421 Connections from your host are limited to 3 at a time', true],
  ['421 sessions from 192.0.2.1 exceed the limit', true],
  ['421 zu viele Verbindungen', true],
  ['421 4.4.2 Connection timed out', false],
  ['421 limit of 10 messages per connection reached', false],
  ['421 Max 20 messages per session', false],
  ['421 too many errors in this session', false],
  ['421 too many connections per day', false],
  ['421 4.3.2 Connection rate limit exceeded.', false],
  ['421 Too many connections from your host per minute', false],
  ['421 4.7.0 Too many sessions opened in a short time', false],
  ['554 5.7.1 blocked: too many connections', false],
  ['421 4.3.2 Service not available, try later', false],
])('"%s" is about concurrent connections: %s', (line, isAboutConcurrency) => {
  expect(complaintOfLine('greeting', line)?.isAboutConcurrency ?? false).toBe(isAboutConcurrency);
});
