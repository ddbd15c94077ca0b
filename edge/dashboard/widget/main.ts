import { watch } from '../../../schema/client/form/watch.ts';

// `<script src="https://…/form.js" data-key="svc_form_…" defer></script>`: checks each `<input data-rcpt>` of the page.

const MARK = 'rcptForm';
const script = document.currentScript;
const key = script?.dataset['key'];

if (script instanceof HTMLScriptElement && key !== undefined && !Reflect.has(window, MARK)) {
  // A second copy of this script would repeat every message.
  Reflect.set(window, MARK, true);
  watch(document, { baseURL: new URL(script.src).origin, key, script });
}
