import type { FormCheck } from './check-email.ts';
import { textOf } from './texts.ts';

// The line of messages at a field. No styles, and no markup from text.

let notes = 0;

/** A line that screen readers announce when its text changes. */
export function makeNote(): HTMLElement {
  const note = document.createElement('span');
  while (note.id === '' || document.getElementById(note.id) !== null) note.id = `rcpt-note-${(notes += 1)}`;
  note.className = 'rcpt-note';
  note.setAttribute('role', 'status');
  return note;
}

/** Puts the line behind its field, unless it is there: a page that re-renders may drop it. */
export function place(note: HTMLElement, field: HTMLInputElement): void {
  if (note.isConnected) return;
  // Within a label the line would be part of the field's name.
  (field.closest('label') ?? field).after(note);
  const ids = (field.getAttribute('aria-describedby') ?? '').split(/\s+/);
  field.setAttribute('aria-describedby', [...new Set([...ids, note.id])].join(' ').trim());
}

/** What the line says of an answer. `rejected`: the sentence that rejects the address, or null. */
export function partsOf(
  { did_you_mean }: FormCheck,
  rejected: string | null,
  field: HTMLInputElement,
  script: Element | null,
): readonly (Node | string)[] {
  const parts: (Node | string)[] = rejected === null ? [] : [rejected];
  if (did_you_mean === null) return parts;
  const [before = '', after = ''] = textOf('did_you_mean', field, script).split('%');
  return [...parts, rejected === null ? before : ` ${before}`, suggestion(field, did_you_mean), after];
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
    write(field, address);
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });
  return button;
}

/** Writes as a person does. */
export function write(field: HTMLInputElement, value: string): void {
  // By the prototype's setter, since UI libraries override the one of the field.
  Reflect.set(HTMLInputElement.prototype, 'value', value, field);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
}
