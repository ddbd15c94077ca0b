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
