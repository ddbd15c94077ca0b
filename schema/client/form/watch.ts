import type { Dom, Watching } from './asked.ts';
import { Fields } from './fields.ts';
import { Holds } from './hold.ts';

// Checks fields of a page while they are typed, when they are left and when their form is sent. It listens where an event
// passes first, so fields that come later are checked too, and page code hears of a form that is sent after the verdict.

export type { Watching } from './asked.ts';

/** Checks fields with `data-rcpt` in this part of the page, or this one field. @returns ends it */
export function watch(root: Dom<'Document'> | Dom<'HTMLElement'>, watching: Watching): () => void {
  const [fields, holds, ended] = [new Fields(watching), new Holds(), new AbortController()];
  const isOurs = (target: unknown): target is HTMLInputElement =>
    target instanceof HTMLInputElement &&
    !target.multiple &&
    (target === root || (target.hasAttribute('data-rcpt') && isIn(root, target)));
  /** The field of an event, also if it is in a shadow tree. */
  const withField = (event: Event, work: (field: HTMLInputElement) => void): void => {
    const path = event.composedPath();
    // `change`, `submit` and `reset` do not leave a shadow tree.
    for (const place of path) if (place instanceof ShadowRoot) listen(place);
    if (isOurs(path[0])) work(path[0]);
  };
  const heard: Readonly<Record<string, (event: Event) => void>> = {
    // A button may be clicked before any field has the focus; Enter is a click, too.
    click: (event) => {
      fields.passHidden();
      withField(event, () => {});
    },
    focusin: (event) => withField(event, (field) => void fields.know(field)),
    input: (event) =>
      withField(event, (field) => {
        if (fields.typed(field, event)) holds.drop(field.form);
      }),
    change: (event) => withField(event, (field) => void fields.ask(field)),
    focusout: (event) => withField(event, (field) => void fields.ask(field)),
    submit: (event) =>
      void holds.hold(event, (form) =>
        [...form.elements]
          .filter(isOurs)
          .filter((field) => field.willValidate && field.dataset['rcpt'] !== 'hint')
          .flatMap((field) => fields.ask(field) ?? []),
      ),
    reset: ({ target }) => {
      if (!(target instanceof HTMLFormElement)) return;
      holds.drop(target);
      for (const field of [...target.elements].filter(isOurs)) fields.forget(field);
    },
    pagehide: () => holds.dropAll(),
  };
  const places = new WeakSet<EventTarget>();
  function listen(place: EventTarget): void {
    if (places.has(place)) return;
    places.add(place);
    for (const [name, listener] of Object.entries(heard))
      place.addEventListener(name, listener, { capture: true, signal: ended.signal });
  }
  listen(window);
  if (root instanceof HTMLInputElement) {
    listen(root.getRootNode());
    fields.know(root);
  }
  return () => {
    ended.abort();
    holds.dropAll();
    fields.end();
  };
}

/** Also in shadow trees. */
function isIn(root: Node, node: Node): boolean {
  if (root.contains(node)) return true;
  const tree = node.getRootNode();
  return tree instanceof ShadowRoot && isIn(root, tree.host);
}
