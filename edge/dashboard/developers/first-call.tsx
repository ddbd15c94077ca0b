import { Code } from '../parts/code.tsx';

/** An address of the sandbox: a test key gives its verdict for nothing. */
export const SANDBOX_ADDRESS = 'ok@deliverable.test';

type Props = { readonly apiKey: string; readonly email: string };

/** A first call, to be pasted into a terminal. */
export function FirstCall({ apiKey, email }: Props) {
  // Escaped as JSON does it, an apostrophe does not end the shell's quotes.
  const body = JSON.stringify({ emails: [email] }).replaceAll("'", '\\u0027');
  const command = `curl ${location.origin}/api/v1/verify \\
  --header 'Authorization: Bearer ${apiKey}' \\
  --header 'Content-Type: application/json' \\
  --data '${body}'`;
  return (
    <>
      <Code label="In a terminal" words="Copy the command" text={command} />
      <p class="soft">
        The docs have <a href="/docs/examples">programs for whole lists</a>, with retries: in Python, Go, PHP, Ruby,
        Java and curl.
      </p>
    </>
  );
}
