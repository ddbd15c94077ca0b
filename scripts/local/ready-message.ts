import { shellWord } from '../base/shell-word.ts';
import type { StartOptions } from './arguments.ts';
import { DEMO_OWNER } from './demo-account.ts';
import type { Service } from './service.ts';

/** For programs: one line of JSON. */
export function readyJson(service: Service): string {
  const { url, demo, operatorKeyFile, hosts } = service;
  return `${JSON.stringify({
    url,
    apiKey: demo.apiKey,
    accountId: demo.accountId,
    operatorKey: operatorKeyFile,
    hosts: hosts.map(({ id, pid }) => ({ id, pid })),
  })}\n`;
}

/** For people: the address, a key, and a first call to copy. */
export function readyText(service: Service, options: Pick<StartOptions, 'sandbox' | 'state'>): string {
  const { url, demo, credits, operatorKeyFile, hosts } = service;
  const first = options.sandbox ? ['ok@deliverable.test', 'nobody@deliverable.test'] : ['someone@example.com'];
  const body = JSON.stringify({ emails: first });
  return `
rcpt is running at ${url}

  dashboard ${pagesUrl(url)}: sign in as ${DEMO_OWNER} or any other address; the sign-in link appears here
  API key   ${demo.apiKey}
  account   ${demo.accountId}, with ${credits.toLocaleString('en-US')} credits
  operator  npm run -s admin -- --url ${url} --operator-key ${operatorKeyFile} account show ${demo.accountId}
  hosts     ${hosts.map(({ id, pid }) => `${id} (process ${pid})`).join(', ') || 'none: every request fails with INTERNAL_ERROR'}
${options.sandbox ? '  sandbox   .test addresses, one for every result: see scripts/sandbox/README.md\n' : ''}  engine    npm run -s probe -- --state ${shellWord(options.state)} ${first.join(' ')}

Try it:

  curl -s ${url}/api/v1/verify \\
    -H 'Authorization: Bearer ${demo.apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '${body}'

Ctrl-C stops it.
`;
}

/** Passkeys work on localhost, and not on 127.0.0.1. */
function pagesUrl(url: string): string {
  return url.replace('127.0.0.1', 'localhost');
}
