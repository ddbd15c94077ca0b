import { useEffect, useRef, useState } from 'preact/hooks';
import type { FormKeyEntry, FormSettings } from '../../../schema/pages-api.ts';
import { useAction } from '../parts/action.ts';
import { Code } from '../parts/code.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Field } from '../parts/field.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { watch } from '../widget/watch.ts';
import { count } from '../words/numbers.ts';
import { FormEditor } from './form-editor.tsx';

const USUAL: FormSettings = {
  label: '',
  origins: [],
  creditsPerDay: 500,
  perMinute: 6,
  perHour: 30,
  rejectsDisposable: false,
};

/** Keys that may stand in a page, each with what to copy and a field to try. */
export function Forms() {
  const forms = useResource(() => call<{ forms: FormKeyEntry[] }>('GET', 'forms'));
  const [leaving, setLeaving] = useState<FormKeyEntry | null>(null);
  return (
    <section aria-labelledby="forms-title">
      <h2 id="forms-title">Sign-up forms</h2>
      <p>
        The key of a form may stand in its page. It checks one address at a time, costs no more in a day than you allow,
        and opens nothing else. <a href="/docs/sign-up-form">How to use it</a>
      </p>
      <Loaded load={forms.load.value} reload={() => void forms.reload()}>
        {({ forms: all }) => (
          <>
            {all.map((form) => (
              <OneForm key={form.id} form={form} reload={forms.reload} remove={setLeaving} />
            ))}
          </>
        )}
      </Loaded>
      <NewForm onMade={forms.reload} />
      {leaving !== null && (
        <Confirm
          title={`Delete the form key “${leaving.label}”?`}
          verb="Delete"
          close={() => setLeaving(null)}
          work={async () => {
            await call('DELETE', `keys/${leaving.id}`);
            await forms.reload();
          }}
        >
          <p>Forms that have it go on without checks.</p>
        </Confirm>
      )}
    </section>
  );
}

type OneProps = {
  readonly form: FormKeyEntry;
  readonly reload: () => Promise<void>;
  readonly remove: (form: FormKeyEntry) => void;
};

function OneForm({ form, reload, remove }: OneProps) {
  const { id, kind, label, key, origins, creditsPerDay, usedToday, mayChange } = form;
  const change = useAction(async (settings: FormSettings) => {
    await call('PUT', `forms/${id}`, settings);
    await reload();
  });
  const lines = `<script src="${location.origin}/form.js" data-key="${key}" defer></script>\n<input type="email" name="email" autocomplete="email" data-rcpt>`;
  return (
    <article class="card" aria-label={label}>
      <h3 class="wrap">{label}</h3>
      <p class="soft wrap">
        {kind === 'form' ? `${count(usedToday)} of ${count(creditsPerDay)} credits used today. ` : 'Test key: free. '}
        Works on {origins.join(', ')}
      </p>
      {kind === 'form' && usedToday >= creditsPerDay && <p>It checks nothing more until midnight UTC.</p>}
      <Code label="In your page" words="Copy the lines" text={lines} />
      <TryIt apiKey={key} isTest={kind === 'formtest'} />
      {mayChange && (
        <>
          <details>
            <summary>Settings</summary>
            <FormEditor settings={form} verb="Save" action={change} />
          </details>
          <button type="button" class="quiet" aria-label={`Delete ${label}`} onClick={() => remove(form)}>
            Delete
          </button>
        </>
      )}
    </article>
  );
}

/** A field as it is in a page: it does what the two lines do. */
function TryIt({ apiKey, isTest }: { readonly apiKey: string; readonly isTest: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current === null) return undefined;
    return watch(box.current, { baseURL: location.origin, key: apiKey, script: null });
  }, [apiKey]);
  return (
    <div ref={box}>
      <Field label="Try it" hint={isTest ? 'Such as nobody@deliverable.test' : 'Each check costs a credit.'}>
        {(id, describedBy) => (
          <input type="email" id={id} aria-describedby={describedBy} autocomplete="off" data-rcpt="hint" />
        )}
      </Field>
    </div>
  );
}

function NewForm({ onMade }: { readonly onMade: () => Promise<void> }) {
  const [isTest, setIsTest] = useState(false);
  const [made, setMade] = useState(0);
  const make = useAction(async (settings: FormSettings) => {
    await call('POST', 'forms', { ...settings, kind: isTest ? 'formtest' : 'form' });
    setMade(made + 1);
    await onMade();
  });
  return (
    <div class="card">
      <h3>New form key</h3>
      <FormEditor key={made} settings={USUAL} verb="Create form key" action={make}>
        <label class="check">
          <input type="checkbox" checked={isTest} onChange={(event) => setIsTest(event.currentTarget.checked)} />
          For tests: answers for the sandbox’s addresses, and costs nothing
        </label>
      </FormEditor>
    </div>
  );
}
