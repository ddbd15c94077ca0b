import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageKeyEntry, Usage } from '../../../schema/pages-api.ts';
import { useAction } from '../parts/action.ts';
import { Code } from '../parts/code.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { TextField } from '../parts/text-field.tsx';
import { call } from '../session/api.ts';
import { settleBalance } from '../session/balance.ts';
import { useResource } from '../session/load.ts';
import { watch } from '../../../schema/client/form/watch.ts';
import { count } from '../words/numbers.ts';
import { FormFields } from './form-fields.tsx';
import { Button } from '../parts/button.tsx';

/** What the sandbox says of it is that the mailbox does not exist. */
const SANDBOX_ADDRESS = 'nobody@deliverable.test';

type Props = { readonly keys: readonly PageKeyEntry[]; readonly reload: () => Promise<void> };

/** The keys of forms, each with what to copy and a field to try. */
export function Forms({ keys, reload }: Props) {
  const usage = useResource(() => call<Usage>('GET', 'usage?days=1'));
  // What a check costs is booked right after its answer.
  const tried = async (): Promise<void> => {
    await settleBalance();
    await usage.reload();
  };
  const rows = usage.load.value.state === 'ready' ? usage.load.value.value.rows : [];
  return (
    <>
      {keys.map(
        ({ id, kind, label, form, mayDelete }) =>
          form !== undefined && (
            <article key={id} class="card" aria-label={label}>
              <h3 class="wrap">{label}</h3>
              <p class="soft wrap">
                {kind === 'formtest'
                  ? `Test key: its checks cost nothing, ${count(form.creditsPerDay)} a day at most.`
                  : `${count(rows.reduce((sum, row) => sum + (row.key === id ? row.charged : 0), 0))} of ${count(form.creditsPerDay)} credits used today.`}{' '}
                Works on {form.origins.join(', ')}
              </p>
              <OneForm {...{ id, label, form, tried, reload }} isTest={kind === 'formtest'} mayChange={mayDelete} />
            </article>
          ),
      )}
    </>
  );
}

type OneProps = {
  readonly id: string;
  readonly label: string;
  readonly form: NonNullable<PageKeyEntry['form']>;
  readonly isTest: boolean;
  readonly mayChange: boolean;
  readonly tried: () => Promise<void>;
  readonly reload: () => Promise<void>;
};

function OneForm({ id, label, form: { key, ...known }, isTest, mayChange, tried, reload }: OneProps) {
  const [name, setName] = useState(label);
  const [settings, setSettings] = useState(known);
  const save = useAction(async () => {
    await call('PUT', `keys/${id}`, { label: name, form: settings });
    await reload();
  });
  return (
    <>
      <Code
        label="In your page"
        words="Copy the lines"
        text={`<script src="${location.origin}/form.js" data-key="${key}" defer></script>\n<input type="email" name="email" autocomplete="email" data-rcpt>`}
      />
      <TryIt apiKey={key} isTest={isTest} tried={tried} />
      {mayChange && (
        <details>
          <summary>Settings</summary>
          <Form action={save}>
            <TextField
              label="Name of this key"
              required
              maxLength={64}
              value={name}
              autocomplete="off"
              onValue={setName}
            />
            <FormFields settings={settings} isTest={isTest} onChange={setSettings} />
            <Button words="Save" busy={save} />
          </Form>
        </details>
      )}
    </>
  );
}

/** A field as it is in a page: it does what the two lines do. */
type TryProps = { readonly apiKey: string; readonly isTest: boolean; readonly tried: () => Promise<void> };
function TryIt({ apiKey, isTest, tried }: TryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.addEventListener('rcpt:verdict', () => void tried()), []);
  useEffect(() => watch(box.current ?? document, { baseURL: location.origin, key: apiKey, script: null }), [apiKey]);
  return (
    <div ref={box}>
      <Field
        label="Try it"
        hint={isTest ? `Costs nothing. Try ${SANDBOX_ADDRESS}.` : 'A check here costs the same as in your page.'}
      >
        {(id, describedBy) => <input type="email" id={id} aria-describedby={describedBy} data-rcpt="hint" />}
      </Field>
    </div>
  );
}
