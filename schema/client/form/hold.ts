// A form that is sent while an address in it has no verdict waits for it. It then goes on as it was sent, through the
// browser's own validation, which is where a rejected address stops it.

const HOLD_MS = 4_000;

/** The forms that wait, each with the button that sent it. */
export class Holds {
  readonly #held = new Map<HTMLFormElement, { submitter: HTMLElement | null }>();
  #passing: HTMLFormElement | null = null;

  /**
   * Holds a form that is being sent. Page code hears of it once, when it goes on.
   * @param checksIn begins what is to be waited for
   */
  async hold(event: Event, checksIn: (form: HTMLFormElement) => readonly Promise<void>[]): Promise<void> {
    const { target: form } = event;
    // Without `requestSubmit` (Safari 15) it could not go on, and an event made by a script may not be one for the browser.
    if (!(form instanceof HTMLFormElement) || !('requestSubmit' in form) || !event.isTrusted) return;
    const submitter = event instanceof SubmitEvent ? event.submitter : null;
    if (form === this.#passing || submitter?.hasAttribute('formnovalidate') === true) return;
    let checks = checksIn(form);
    if (checks.length === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const waiting = this.#held.get(form);
    if (waiting !== undefined) {
      // Sent twice, it goes on once, by the button pressed last.
      waiting.submitter = submitter;
      return;
    }
    const held = { submitter };
    this.#held.set(form, held);
    const goOn = (): void => {
      if (this.#held.get(form) === held) this.#goOn(form, held.submitter);
    };
    setTimeout(goOn, HOLD_MS);
    while (checks.length > 0) {
      await Promise.all(checks);
      if (this.#held.get(form) !== held) return;
      // A field may have been rendered anew meanwhile.
      checks = checksIn(form);
    }
    goOn();
  }

  /** Whoever goes on writing has not sent it yet. */
  drop(form: HTMLFormElement | null): void {
    if (form !== null) this.#held.delete(form);
  }

  /** A page that comes back from the browser's cache must not send what was waiting when it was left. */
  dropAll(): void {
    this.#held.clear();
  }

  #goOn(form: HTMLFormElement, submitter: HTMLElement | null): void {
    this.#held.delete(form);
    if (!form.isConnected || form.closest('dialog:not([open])') !== null) return;
    this.#passing = form;
    try {
      // A button that was rendered anew is another one.
      form.requestSubmit(submitter !== null && Reflect.get(submitter, 'form') === form ? submitter : null);
    } finally {
      this.#passing = null;
    }
  }
}
