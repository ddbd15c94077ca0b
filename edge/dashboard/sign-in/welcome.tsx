import { SignInForm } from './sign-in-form.tsx';

const CLAIMS: ReadonlyArray<{ readonly title: string; readonly words: string }> = [
  {
    title: 'Checked live, every time',
    words:
      'Each address is checked with its own mail server, up to RCPT TO. No message is sent, and no stale answer is sold to you.',
  },
  {
    title: 'A reason for every verdict',
    words:
      'More than a score: what the server said, what it means, and what to do about it. What cannot be known is called unknown.',
  },
  {
    title: 'The price before you start',
    words: 'One credit per unique address, never more. Credits are returned for servers that would not talk to us.',
  },
  {
    title: 'Nothing stored',
    words:
      'Your file stays in your browser, with all its columns. No address that you verify is stored anywhere on our side.',
  },
];

/** What somebody sees who is not signed in: what this is, and the way in. */
export function Welcome() {
  return (
    <div class="welcome">
      <section aria-labelledby="welcome-title">
        <h1 id="welcome-title">Know which addresses accept mail, and why the others don’t</h1>
        <ul class="claims">
          {CLAIMS.map(({ title, words }) => (
            <li key={title}>
              <h2>{title}</h2>
              <p class="soft">{words}</p>
            </li>
          ))}
        </ul>
        <p>
          Would you rather call it from code? <a href="/docs">Read the docs</a>
        </p>
      </section>
      <section class="card" aria-labelledby="sign-in-title">
        <h2 id="sign-in-title">Sign in</h2>
        <SignInForm />
      </section>
    </div>
  );
}
