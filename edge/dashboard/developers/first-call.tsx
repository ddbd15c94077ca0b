import { Code } from '../parts/code.tsx';

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
        The docs have programs for whole lists, with retries: in <a href="/docs/python">Python</a>, Go, PHP, Ruby, Java
        and curl.
      </p>
    </>
  );
}
