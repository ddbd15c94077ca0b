import { expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { classify } from './classify.ts';

// What counts is who is said to be missing, disabled or full: each subject is combined with each predicate.

const words = (text: string): string[] => text.split('|').map((word) => word.trim());

const US =
  words(`sender|sender address|sender domain|envelope sender|return path|reverse path|MAIL FROM address|From: header|
  bounce address|sender mailbox|sender's account|mailbox of sender|postmaster at your domain|postmaster mailbox of your domain|
  SMTP user|SASL user|authenticated user|your address|your email|your account|your mailbox|your user account|your domain|your host|
  your server|your network|your provider|your MX record|your PTR|your SPF record|client|client host|client name|connecting IP|
  remote host|peer name|hostname|hostname mx.example.org|IP 192.0.2.1|host [192.0.2.1]|address 192.0.2.1|reverse DNS name|
  PTR for 192.0.2.1|A record of mx.example.org|HELO|HELO name|EHLO argument|DKIM key|client certificate|credentials|password|login name or password|
  ASN|country of origin|netblock|authorization`);
const ELSEWHERE = words(`<sender@example.org>|sender@example.org|address sender@example.org|mailbox sender@example.org|
  domain example.org|mx.example.org|user sender@example.org`);
const THINGS =
  words(`hash|cookie|challenge|key|signature|token|subject|envelope|body|message-id|Date header|mechanism|charset|command|
  parameter|session id|recipient count|number of recipients|policy server|content filter|mailbox filter|recipient filter|user rule|
  mailbox queue|mailbox cluster|account cache|mailbox search|user query|recipient list|mailbox type|user status|LDAP server|next hop`);
const MISSING =
  words(`unknown|is unknown|does not exist|doesn't exist|not found|could not be found|is invalid|is not valid|is disabled|
  has been disabled|is inactive|is not active|has been suspended|not recognized|cannot be resolved|not listed|not registered|is closed|
  has expired|was deleted|unavailable|unreachable|is not local|missing|is not verified|does not match|has moved|refused|no longer exists|
  is locked|is malformed|not in directory|has changed|is not monitored|is not configured|is not hosted here|is gone|no longer works|cannot be routed|
  is not associated with this domain|is not in the list of allowed recipients|is no longer with us|not on this server`);
const MISSING_FIRST = words(
  'unknown|invalid|no such|nonexistent|cannot find|disabled|undeliverable|unroutable|expired|no valid|please check the|please verify the',
);
const meaningOf = (text: string): string =>
  classify('rcpt', rawReply(`550 ${text}`), { local: 'user', domain: 'example.com' }).meaning;

test.each([...US, ...ELSEWHERE, ...THINGS])('no mailbox is called dead because of a statement about %s', (subject) => {
  const said = MISSING.map((predicate) => `${subject} ${predicate}`);
  expect(said.filter((text) => meaningOf(text) === 'no_such_mailbox')).toEqual([]);
});

test.each([...US, ...ELSEWHERE])('no mailbox is called dead because of a statement before %s', (subject) => {
  const said = MISSING_FIRST.map((predicate) => `${predicate} ${subject}`);
  expect(said.filter((text) => meaningOf(text) === 'no_such_mailbox')).toEqual([]);
});

const STORES =
  words(`server|system|host|server disk|process table|spool|database|memory|cache|number of errors|number of recipients|
  the number of RCPT attempts|recipient count|recipient list|commands|header|line length|chunk|your quota|outgoing quota|bounce quota|
  traffic quota|license`);
const FULL =
  words(`is full|exceeds limit|exceeded limit|over limit|is over quota|quota exceeded|limit reached|exceeds message size limit|
  is achieved the maximum threshold|insufficient storage|has no space left|too large`);

test.each(STORES)('no mailbox is called full because of a statement about %s', (subject) => {
  const said = FULL.map((predicate) => `${subject} ${predicate}`);
  expect(said.filter((text) => ['mailbox_full', 'no_such_mailbox'].includes(meaningOf(text)))).toEqual([]);
});

const RECIPIENTS = ['user', 'the recipient', 'this mailbox', 'account', 'user@example.com'];
/** With the phrases of a missing mailbox, or similar ones, but about us, about the moment, or stating nothing. */
const NOT_OF_IT =
  words(`%r does not accept mail from your domain|%r does not accept external mail|%r only accepts mail from members|
  %r has blocked this sender|%r is restricted to internal use|%r is protected by a whitelist|%r requires sender confirmation|
  %r refused the message as spam|%r does not want your mail|%r cannot be reached from your network|%r temporarily disabled|
  %r is locked by another process|%r locked, try later|%r unavailable, try again later|%r exceeded its hourly message limit|
  %r may be unknown|%r might not exist|%r unknown or blocked by policy|%r unknown or over quota|not authorized to send to %r|
  mail to %r is blocked by policy|delivery to %r is not allowed from your IP|too many messages for %r|message for %r contains a virus|
  message for %r was rejected|no permission to send to %r|no reverse DNS, mail to %r refused|unknown sender for %r|unknown client for %r|
  null sender not allowed for %r|posting to %r is moderated|%r not yet whitelisted, come back later|
  callback verification for sender failed, %r refused|lookup for %r failed|could not lock mailbox of %r|permission denied on %r|
  unable to verify %r now|verification of %r timed out|server for %r unreachable|filter of %r is disabled|%r is not unknown|
  message sending for %r is disabled|is %r known?|please verify %r before writing|please check the restrictions of %r|
  mail cannot be received for %r from your host|we cannot receive mail for %r at the moment|delivery to %r is suspended for now|
  %r not found in cache, try again|%r that sent this has been closed|mail has been deleted by a filter of %r|that is not %r you may use|
  we don't accept mail for %r from dynamic IPs|please check the server of %r|is %r wrong?|%r is monitored|from does not match %r|
  %r you are using has been withdrawn|%r is away until Monday|please check the recipient list of %r`);

test.each(NOT_OF_IT)('no mailbox is called dead by "%s"', (form) => {
  const said = RECIPIENTS.map((recipient) => form.replace('%r', recipient));
  expect(said.filter((text) => meaningOf(text) === 'no_such_mailbox')).toEqual([]);
});
