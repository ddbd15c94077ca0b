import { trim, withoutStrayMarks } from '../../words/unseen.ts';
import { type Asking, askOnce, isAsked, mayAskWhileTyped, type Watching } from './asked.ts';
import type { FormCheck } from './check-email.ts';
import { makeNote, partsOf, place, write } from './note.ts';
import { textOf } from './texts.ts';

type Watched = {
  /** The value that needs no check: the page's own, or the one checked last. */
  value: string;
  asking: Asking | null;
  /** Until the answer is shown; null if there is none to wait for. */
  checking: Promise<void> | null;
  typing: ReturnType<typeof setTimeout> | undefined;
  readonly note: HTMLElement;
  /** Whether we, and not the page, marked the field as invalid. */
  isOurs: boolean;
};

/** An answer that comes sooner needs no waiting message. */
const PATIENCE_MS = 300;
const TYPED_MS = 1_000;
const PASTED = { isComposing: false, inputType: '' };

let lastTyped = '';

/** The fields that are watched, and what is known of each. */
export class Fields {
  readonly #watching: Watching;
  readonly #fields = new Map<HTMLInputElement, Watched>();

  constructor(watching: Watching) {
    this.#watching = watching;
  }

  /** What is known of a field; adds its line. */
  know(field: HTMLInputElement): Watched {
    const known = this.#fields.get(field) ?? this.#add(field);
    place(known.note, field);
    return known;
  }

  /**
   * A key, a paste, a password manager: withdraws what was said of another value, and checks this one after a pause.
   * @returns whether it is another value
   */
  typed(field: HTMLInputElement, event: Event): boolean {
    const { isComposing, inputType } = event instanceof InputEvent ? event : PASTED;
    // A space at the end may be the middle of a quoted name.
    if (!isComposing) tidy(field, inputType === 'insertText' ? withoutStrayMarks : clean);
    lastTyped = valueOf(field);
    const known = this.know(field);
    if (known.value === lastTyped && known.value !== '') return false;
    this.forget(field);
    const mode = field.dataset['check'] ?? this.#watching.script?.dataset['check'];
    if (mode === 'leave') return true;
    known.typing = setTimeout(() => {
      if (mayAskWhileTyped(this.#watching, valueOf(field))) void this.ask(field);
    }, TYPED_MS);
    return true;
  }

  /** Checks the value of a field if it has changed. @returns when there is a verdict; null if nobody needs to wait */
  ask(field: HTMLInputElement): Promise<void> | null {
    tidy(field, clean);
    const email = valueOf(field);
    const known = this.know(field);
    if (email === known.value) return known.checking;
    this.forget(field);
    known.value = email;
    if (email !== '') known.checking = this.#check(field, known, email);
    return known.checking;
  }

  /** Withdraws the message about a value that is no longer there. */
  forget(field: HTMLInputElement): void {
    const known = this.know(field);
    clearTimeout(known.typing);
    known.asking?.stop();
    known.asking = known.checking = null;
    known.value = '';
    known.note.replaceChildren();
    pass(field, known);
  }

  /** A form is not blocked by the field of an earlier step, which is no longer shown: the browser could not say why. */
  passHidden(): void {
    for (const [field, known] of this.#fields) if (field.getClientRects().length === 0) pass(field, known);
  }

  /** Takes back all that was added. */
  end(): void {
    for (const [field, { note }] of this.#fields) {
      this.forget(field);
      note.remove();
    }
    this.#fields.clear();
  }

  #add(field: HTMLInputElement): Watched {
    for (const [other, { note }] of this.#fields)
      if (!other.isConnected) {
        note.remove();
        this.#fields.delete(other);
      }
    const email = clean(field.defaultValue);
    // Libraries write what was typed into the attribute, too.
    const value = email === lastTyped ? '' : email;
    const known = { value, asking: null, checking: null, typing: undefined, note: makeNote(), isOurs: false };
    this.#fields.set(field, known);
    if (isAsked(this.#watching, valueOf(field))) {
      known.value = '';
      void this.ask(field);
    }
    return known;
  }

  async #check(field: HTMLInputElement, known: Watched, email: string): Promise<void> {
    const asking = askOnce(this.#watching, email);
    known.asking = asking;
    const saying = (): void => known.note.replaceChildren(textOf('checking', field, this.#watching.script ?? null));
    const timer = setTimeout(saying, PATIENCE_MS);
    const check = await asking.answer;
    clearTimeout(timer);
    if (known.asking !== asking) return;
    known.asking = known.checking = null;
    // Stopped by another field with this address.
    if (check === null) return this.forget(field);
    this.#show(field, known, check);
    field.dispatchEvent(new CustomEvent('rcpt:verdict', { bubbles: true, detail: { email, ...check } }));
  }

  #show(field: HTMLInputElement, known: Watched, check: FormCheck): void {
    const script = this.#watching.script ?? null;
    const rejected = check.verdict === 'reject' ? textOf(check.reason ?? 'no_such_mailbox', field, script) : null;
    if (rejected !== null && field.dataset['rcpt'] !== 'hint' && !field.validity.customError) {
      known.isOurs = true;
      field.setCustomValidity(rejected);
      field.setAttribute('aria-invalid', 'true');
    }
    known.note.replaceChildren(...partsOf(check, rejected, field, script));
  }
}

function pass(field: HTMLInputElement, known: Watched): void {
  if (!known.isOurs) return;
  known.isOurs = false;
  field.setCustomValidity('');
  field.removeAttribute('aria-invalid');
}

/** As it is asked. */
function valueOf({ value }: HTMLInputElement): string {
  return clean(value);
}

function clean(text: string): string {
  return trim(withoutStrayMarks(text));
}

/** Takes out of the field itself what nobody sees, and what the shop would have stored. */
function tidy(field: HTMLInputElement, how: (text: string) => string): void {
  const tidied = how(field.value);
  if (tidied !== field.value) write(field, tidied);
}
