import { watch } from '../../../schema/client/form/watch.ts';

// `<script src="https://…/form.js" data-key="svc_form_…" defer></script>`: checks each `<input data-rcpt>` of the page.

const MARK = 'rcptForm';
const current = document.currentScript;
// A library that loads scripts may run this one in another tag than the page's.
const script =
  current instanceof HTMLScriptElement && current.hasAttribute('data-key')
    ? current
    : document.querySelector<HTMLScriptElement>('script[src*="/form.js"][data-key^="svc_form"]');
const key = script?.dataset['key'];

if (script !== null && key !== undefined && !Reflect.has(window, MARK)) {
  // A second copy of this script would repeat every message.
  Reflect.set(window, MARK, true);
  watch(document, { baseURL: new URL(script.src).origin, key, script });
}
