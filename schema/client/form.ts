// `@rcpt/client/form`: for sign-up forms, in pages.

export { checkEmail, type FormCheck, type FormQuestion } from './form/check-email.ts';
export { watch, type Watching } from './form/watch.ts';
