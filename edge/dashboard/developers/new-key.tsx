import { useState } from 'preact/hooks';
import type { NewPageKey, PageKeyEntry } from '../contract/pages-api.ts';
import { call } from '../session/api.ts';
import { useAction } from '../parts/action.ts';
import { Field } from '../parts/field.tsx';
import { TroubleNotice } from '../parts/loaded.tsx';

/** Makes a key. */
export function NewKey({ onMade }: { readonly onMade: (key: NewPageKey) => void }) {
  const [label, setLabel] = useState('');
  const [kind, setKind] = useState<PageKeyEntry['kind']>('live');
  const make = useAction(async () => {
    onMade(await call<NewPageKey>('POST', 'keys', { kind, label }));
    setLabel('');
  });
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void make.run();
      }}
    >
      <h3>New key</h3>
      <div class="row wide">
        <Field label="Name">
          {(id) => (
            <input
              id={id}
              required
              maxLength={64}
              value={label}
              placeholder="Newsletter, production"
              autocomplete="off"
              onInput={(event) => setLabel(event.currentTarget.value)}
            />
          )}
        </Field>
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
      {make.trouble.value !== null && <TroubleNotice trouble={make.trouble.value} />}
    </form>
  );
}
