import { checkEmail, type FormCheck } from './check-email.ts';

// What this view of the page has asked. All fields share it, so an address is asked about once, and a field that is
// rendered anew finds what is known of its address.

/** The service and the form's key. */
export type Service = { readonly baseURL: string; readonly key: string };
/** A type of pages, which a Worker's compiler does not know. */
export type Dom<Name extends string> =
  typeof globalThis extends Record<Name, { readonly prototype: infer Type }> ? Type : never;
export type Watching = Service & {
  /** An element with texts for all fields and their language: in a page, the script. */
  readonly script?: Dom<'HTMLElement'> | null;
};
/** `answer`: null if it was stopped. */
export type Asking = { readonly answer: Promise<FormCheck | null>; readonly stop: () => void };

const TYPED_MAX = 2;
const COMPLETE = /^[^@]+@[^@]*[^@.]\.[^@.]{2,}$/;
/**
 * What more letters would make the domain of a large provider: `gmail.co`, and `yahoo.com` because of `yahoo.com.br`.
 * Held against the whole list of them by `scripts/form-domains.test.ts`.
 */
const UNFINISHED = /\.(?:co|ne)$|@(?:yahoo|outlook|uol|bol|terra)\.com$/i;

const asked = new Map<string, Asking>();
/** With its id, another check of an address costs nothing more. */
const ids = new Map<string, string>();
let page = '';
let typed = 0;

export function isAsked({ key }: Service, email: string): boolean {
  return asked.has(`${key} ${email}`);
}

/** Asks about an address, or joins those who asked before. What failed may be asked again. */
export function askOnce({ baseURL, key }: Service, email: string): Asking {
  const name = `${key} ${email}`;
  const known = asked.get(name);
  if (known !== undefined) return known;
  page ||= Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('');
  const id = ids.get(name) ?? `${page}.${ids.size}`;
  ids.set(name, id);
  const stop = new AbortController();
  let isOver = false;
  const answer = checkEmail({ baseURL, key, email, id, signal: stop.signal })
    .catch(() => null)
    .then((check) => {
      isOver = true;
      if (check?.error !== null && asked.get(name) === asking) asked.delete(name);
      return check;
    });
  const asking = {
    answer,
    stop: (): void => {
      if (!isOver) asked.delete(name);
      stop.abort();
    },
  };
  asked.set(name, asking);
  return asking;
}

/** Whether to ask though the person may go on typing: about whole addresses, and twice in a view of the page. */
export function mayAskWhileTyped(service: Service, email: string): boolean {
  if (isAsked(service, email)) return true;
  if (typed >= TYPED_MAX || isUnfinished(email)) return false;
  typed += 1;
  return true;
}

/** Whether it looks as if letters were still missing. Pure. */
export function isUnfinished(email: string): boolean {
  return !COMPLETE.test(email) || UNFINISHED.test(email);
}
