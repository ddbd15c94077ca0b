/** What to do with each status while a person waits: only a certain no turns somebody away. */
const STATUSES = [
  ['valid', 'The mailbox exists. Let the person in.'],
  ['risky', 'It may exist. Let the person in; whether disposable addresses may enter is your decision.'],
  ['invalid', 'It does not exist. Say so, and offer did_you_mean if it is set.'],
  ['unknown', 'No answer in time. Let the person in, and ask again after retry_after seconds if it is set.'],
  ['an error', 'Out of credits, too many requests, or trouble of ours. Let the person in.'],
] as const;

const REQUEST = `POST /api/v1/verify
Prefer: wait=4
Authorization: Bearer YOUR_API_KEY

{"emails":["ann@example.com"]}`;

/** The short form of schema/SIGN-UP-FORM.md. */
export function SignUpForm() {
  return (
    <>
      <p>
        A person is waiting. Say how long, from 3 to 5 seconds: what is not known by then is <code>unknown</code> and
        costs nothing. Call from your server, because a key in a page belongs to everyone who reads the page.
      </p>
      <pre tabIndex={0} aria-label="A request that waits four seconds">
        <code>{REQUEST}</code>
      </pre>
      <dl class="definitions">
        {STATUSES.map(([status, words]) => (
          <div key={status}>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p>
        <code>did_you_mean</code> may be set for an address that exists too: suggest it, and do not insist. A
        confirmation mail shows whose the mailbox is; this check only shows that it is there.
      </p>
    </>
  );
}
