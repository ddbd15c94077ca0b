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
      <p>Your session has ended. What you entered stays in this tab: sign in again, and it is here.</p>
      <SignInForm />
    </div>
  );
}
