import { ABOUT_US } from './client.ts';
import { compilePatterns } from './rule.ts';

/** It defers strangers on purpose (RFC 6647). */
export const { test: saysGreylisting } = compilePatterns([
  'GREY',
  'first time|attempt|contact',
  'internal resource|resources temporarily away',
  'not yet allowed',
]);

/** RFC 3207 §4. */
export const { test: saysTlsFirst } = compilePatterns([
  'required|use|only|try … TLS',
  'TLS … required|first',
  'not … over TLS',
  'TLS CLIENT? not allowed|accept',
]);

/** The server closes the connection. */
export const { test: saysGoodBye } = compilePatterns([
  'closing CLIENT|transmission|channel',
  'goodbye|disconnecting',
  'closing … CLIENT',
]);

const OTHERWISE = compilePatterns([
  `COMMAND|${ABOUT_US}|temporarily|busy|timeout|timed|shutting|queue|resource|resources|load|memory`,
]);
/** "User has moved to ann@elsewhere.example" (RFC 3463 §3.2): the other address is the mailbox's new one. */
const MOVED = '5.1.6';

/** A code of a missing mailbox with words about us, the moment or another address: the words count. */
export const saysOtherwise = (gist: string, status: string | null): boolean =>
  OTHERWISE.test(gist) || (status !== MOVED && gist.includes(' elsewhere '));
