/** What a call of the operator's API ends in. Refusals are answers too: the audit counts them by status. */
export type Answer = {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
};

export function ok(body: object, status: 200 | 201 = 200): Answer {
  return { status, body };
}

type RefusalStatus = 400 | 401 | 404 | 405 | 409 | 413 | 500 | 503;

/** An error body of the interface's form; its codes where they fit. `error` is one line for the operator to read. */
export function refusal(status: RefusalStatus, error: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const code = status === 400 ? 'INVALID_INPUT' : status === 401 ? 'UNAUTHORIZED' : undefined;
  return { status, body: code === undefined ? { error } : { error, code }, headers };
}
