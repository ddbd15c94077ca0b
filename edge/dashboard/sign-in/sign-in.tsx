import { held } from '../session/me.ts';
import { SignInForm } from './sign-in-form.tsx';

/** The sign-in form on a page of its own. */
export function SignIn() {
  return (
    <div class="narrow">
      <h1>Sign in</h1>
      <SignInForm />
    </div>
  );
}

/** In place of a view whose session has ended. */
export function SignedOut() {
  return (
    <div class="narrow">
      <h1>You are signed out</h1>
      <p>Your session has ended. Sign in again to continue where you were: the addresses you typed are kept.</p>
      {held.value > 0 && <p>What was being verified waits here until you are signed in, and then goes on by itself.</p>}
      <SignInForm />
    </div>
  );
}
