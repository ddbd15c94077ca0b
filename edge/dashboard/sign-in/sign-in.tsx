import { SignInForm } from './sign-in-form.tsx';

/** The way in, by itself. */
export function SignIn() {
  return (
    <div class="narrow">
      <h1>Sign in</h1>
      <SignInForm />
    </div>
  );
}

/** Where a view was whose session has ended. */
export function SignedOut() {
  return (
    <div class="narrow">
      <h1>You are signed out</h1>
      <p>Your session has ended. Sign in again to go on where you were: addresses that you typed are kept.</p>
      <SignInForm />
    </div>
  );
}
