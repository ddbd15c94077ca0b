import { useState } from 'preact/hooks';
import type { NewPageKey, PageKeyEntry } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { useAction } from '../parts/action.ts';
import { Form } from '../parts/form.tsx';
import { TextField } from '../parts/text-field.tsx';
import { CapFields, NO_CAPS } from './caps.tsx';
import { FormFields, USUAL } from './form-fields.tsx';

const KINDS = [
  ['live', 'Live: verifies, and costs credits'],
  ['test', 'Test: answers for the sandbox’s addresses, and costs nothing'],
  ['form', 'Form: goes into a web page, and checks one address at a time'],
  ['formtest', 'Form, for tests: answers for the sandbox’s addresses, and costs nothing'],
] as const;

/** Makes a key. */
export function NewKey({ onMade }: { readonly onMade: (key: NewPageKey) => void }) {
  const [label, setLabel] = useState('');
  const [kind, setKind] = useState<PageKeyEntry['kind']>('live');
  const [form, setForm] = useState(USUAL);
  const [caps, setCaps] = useState(NO_CAPS);
  const isOfForm = kind === 'form' || kind === 'formtest';
  const make = useAction(async () => {
    onMade(
      await call<NewPageKey>('POST', 'keys', {
        kind,
        label,
        ...(isOfForm ? { form } : {}),
        ...(kind === 'live' ? { caps } : {}),
      }),
    );
    setLabel('');
    setCaps(NO_CAPS);
  });
  return (
    <Form action={make} kind="card">
      <h3>New key</h3>
      <div class="row wide">
        <TextField
          label="Name"
          required
          maxLength={64}
          value={label}
          placeholder="Newsletter, production"
          autocomplete="off"
          onValue={setLabel}
        />
        <fieldset class="choices">
          <legend>Kind</legend>
          {KINDS.map(([known, words]) => (
            <label key={known} class="check">
              <input type="radio" name="kind" checked={kind === known} onChange={() => setKind(known)} />
              {words}
            </label>
          ))}
        </fieldset>
      </div>
      {kind === 'live' && <CapFields caps={caps} onChange={setCaps} />}
      {isOfForm && <FormFields settings={form} isTest={kind === 'formtest'} onChange={setForm} />}
      <button type="submit" aria-disabled={make.isBusy.value}>
        Create key
      </button>
    </Form>
  );
}
