import { useState } from 'preact/hooks';
import type { NewPageKey, PageKeyEntry } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { useAction } from '../parts/action.ts';
import { Form } from '../parts/form.tsx';
import { TextField } from '../parts/text-field.tsx';

/** Makes a key. */
export function NewKey({ onMade }: { readonly onMade: (key: NewPageKey) => void }) {
  const [label, setLabel] = useState('');
  const [kind, setKind] = useState<PageKeyEntry['kind']>('live');
  const make = useAction(async () => {
    onMade(await call<NewPageKey>('POST', 'keys', { kind, label }));
    setLabel('');
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
          <label class="check">
            <input type="radio" name="kind" checked={kind === 'live'} onChange={() => setKind('live')} />
            Live: verifies, and costs credits
          </label>
          <label class="check">
            <input type="radio" name="kind" checked={kind === 'test'} onChange={() => setKind('test')} />
            Test: answers for the sandbox’s addresses, and costs nothing
          </label>
        </fieldset>
      </div>
      <button type="submit" disabled={make.isBusy.value}>
        Create key
      </button>
    </Form>
  );
}
