import { notAnAddress, spelling } from '../words/result.ts';

// The service as it may be in a year: results, statuses, reasons, fields, lines and error codes that nobody knows today.
// Every one of ours that reads answers is held against this one stub.

/** What it says of an address, beyond what is known today. */
export function futureResult(email: string): Readonly<Record<string, unknown>> {
  return {
    ...notAnAddress(spelling(email)),
    result: 'forwarded',
    status: 'dormant',
    reason: 'not_yet_known',
    score: 45,
    syntax: true,
    mx_found: true,
    smtp_check: true,
    smtp_code: 251,
    moved_to: { domain: 'new.example.test' },
    // Of the whole request it was known before, and a spreadsheet would run this.
    charged: 1,
    note: '=1+1',
  };
}

/** An answer of 200, line by line without line feeds: each entry costs a credit. */
export function futureLines(emails: readonly string[]): readonly string[] {
  return [
    { kind: 'progress', asking: emails.length },
    ...emails.map((email, index) => ({ index, ...futureResult(email) })),
    { done: true, charged: emails.length, returned: 0, invoice: 'inv_1' },
  ].map((line) => JSON.stringify(line));
}

/** It stands in the place of fetch, and counts. */
export class FutureService {
  readonly requests: (readonly string[])[] = [];
  /** Refuses everything with 402 and a code of its own. */
  isPaused = false;

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (this.isPaused)
      return Response.json({ error: 'The account is paused.', code: 'ACCOUNT_PAUSED' }, { status: 402 });
    if (request.url.endsWith('/api/v1/credits')) return Response.json({ credits: 1_000, currency: 'credits' });
    const { emails }: { emails: string[] } = JSON.parse(await request.text());
    this.requests.push(emails);
    return new Response(
      futureLines(emails)
        .map((line) => `${line}\n`)
        .join(''),
      {
        headers: { 'content-type': 'application/x-ndjson' },
      },
    );
  };
}
