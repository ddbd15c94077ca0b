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
      <SignInForm />
    </div>
  );
}
