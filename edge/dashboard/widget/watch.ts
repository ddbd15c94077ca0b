import { checkEmail, type FormCheck } from '../../../schema/client/form.ts';
import { trim, withoutStrayMarks } from '../../../schema/words/unseen.ts';
import { textOf } from './texts.ts';

// Checks fields of a page as people leave them. It listens to the page as a whole, so fields that come later are checked too, and
// it adds one element for each field: a line for its messages. No styles, no markup from text, and it only keeps a form
// from being sent when the result is certain.

export type Watching = {
  readonly baseURL: string;
  /** The form's key. */
  readonly key: string;
  /** The element with texts for all fields and their language, if there is one. */
  readonly script: HTMLElement | null;
};

type Watched = {
  /** A value that needs no check: it was there before, or was checked last. */
  value: string;
  asking: AbortController | null;
  readonly note: HTMLElement;
  /** Whether we, and not the page, marked the field as invalid. */
  isOurs: boolean;
};

/** An answer that comes sooner needs no waiting message. */
const PATIENCE_MS = 300;

let notes = 0;

/** Checks fields with `data-rcpt` in this part of the page. @returns ends it */
export function watch(root: Document | HTMLElement, watching: Watching): () => void {
  const fields = new Fields(watching);
  const heard = Object.entries<(event: Event) => void>({
    focusin: (event) => withField(event, (field) => fields.know(field, valueOf(field))),
    input: (event) => withField(event, (field) => fields.forget(field)),
    change: (event) => withField(event, (field) => void fields.ask(field)),
    focusout: (event) => withField(event, (field) => void fields.ask(field)),
    reset: ({ target }) => {
      if (target instanceof HTMLFormElement)
        [...target.elements].filter(isWatched).forEach((one) => fields.forget(one));
    },
  });
  for (const [name, listener] of heard) root.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of heard) root.removeEventListener(name, listener);
  };
}

class Fields {
  readonly #watching: Watching;
  readonly #fields = new WeakMap<HTMLInputElement, Watched>();
  /** By address: another check of it on this page costs nothing more. */
  readonly #ids = new Map<string, string>();
  readonly #page = Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('');

  constructor(watching: Watching) {
    this.#watching = watching;
  }

  /** What is known of a field; adds its line. @param value what needs no check if it is new */
  know(field: HTMLInputElement, value = ''): Watched {
    const known = this.#fields.get(field) ?? { value, asking: null, note: makeNote(), isOurs: false };
    this.#fields.set(field, known);
    // A page that re-renders may drop the line.
    if (known.note.isConnected) return known;
    // Within a label the line would be part of the field's name.
    (field.closest('label') ?? field).after(known.note);
    const ids = (field.getAttribute('aria-describedby') ?? '').split(/\s+/);
    field.setAttribute('aria-describedby', [...new Set([...ids, known.note.id])].join(' ').trim());
    return known;
  }

  /** Checks the value of a field if it has changed. */
  async ask(field: HTMLInputElement): Promise<void> {
    const email = valueOf(field);
    const known = this.know(field);
    if (email === known.value) return;
    this.forget(field);
    known.value = email;
    if (email === '') return;
    const { baseURL, key, script } = this.#watching;
    const asking = new AbortController();
    known.asking = asking;
    const timer = setTimeout(() => known.note.replaceChildren(textOf('checking', field, script)), PATIENCE_MS);
    const id = this.#ids.get(email) ?? `${this.#page}.${this.#ids.size}`;
    this.#ids.set(email, id);
    const check = await checkEmail({ baseURL, key, email, id, signal: asking.signal }).catch(() => null);
    clearTimeout(timer);
    if (check === null || known.asking !== asking) return;
    known.asking = null;
    this.#show(field, known, check);
    field.dispatchEvent(new CustomEvent('rcpt:verdict', { bubbles: true, detail: { email, ...check } }));
  }

  /** Withdraws the message about a value that is no longer there. */
  forget(field: HTMLInputElement): void {
    const known = this.know(field);
    known.asking?.abort();
    known.asking = null;
    known.value = '';
    known.note.replaceChildren();
    if (!known.isOurs) return;
    known.isOurs = false;
    field.setCustomValidity('');
    field.removeAttribute('aria-invalid');
  }

  #show(field: HTMLInputElement, known: Watched, { verdict, reason, did_you_mean }: FormCheck): void {
    const { script } = this.#watching;
    const parts: (Node | string)[] = [];
    if (verdict === 'reject') {
      const text = textOf(reason ?? 'no_such_mailbox', field, script);
      parts.push(text);
      if (field.dataset['rcpt'] !== 'hint' && !field.validity.customError) {
        known.isOurs = true;
        field.setCustomValidity(text);
        field.setAttribute('aria-invalid', 'true');
      }
    }
    if (did_you_mean !== null) {
      const [before = '', after = ''] = textOf('did_you_mean', field, script).split('%');
      parts.push(verdict === 'reject' ? ` ${before}` : before, suggestion(field, did_you_mean), after);
    }
    known.note.replaceChildren(...parts);
  }
}

/** As it is asked. */
function valueOf({ value }: HTMLInputElement): string {
  return trim(withoutStrayMarks(value));
}

/** The field of an event, also if it is in a shadow tree. */
function withField(event: Event, work: (field: HTMLInputElement) => void): void {
  const [field] = event.composedPath();
  if (isWatched(field)) work(field);
}

function isWatched(target: EventTarget | undefined): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.hasAttribute('data-rcpt');
}

/** A button that puts the address into the field, where it is checked like any other. */
function suggestion(field: HTMLInputElement, address: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'rcpt-suggestion';
  // A narrow page may break it at the @ and at dots.
  for (const part of address.split(/([@.])/)) button.append(part, document.createElement('wbr'));
  button.addEventListener('click', () => {
    field.focus();
    // By the prototype's setter, since UI libraries override the one of the field.
    Reflect.set(HTMLInputElement.prototype, 'value', address, field);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });
  return button;
}

/** A line that screen readers announce when its text changes. */
function makeNote(): HTMLElement {
  const note = document.createElement('span');
  while (note.id === '' || document.getElementById(note.id) !== null) note.id = `rcpt-note-${(notes += 1)}`;
  note.className = 'rcpt-note';
  note.setAttribute('role', 'status');
  return note;
}
