import { useState } from 'preact/hooks';
import type { NewPageKey, PageKeyEntry } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { signedIn } from '../session/me.ts';
import { useAction } from '../parts/action.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { TextField } from '../parts/text-field.tsx';
import { CapFields, NO_CAPS } from './caps.tsx';
import { FirstCall, SANDBOX_ADDRESS } from './first-call.tsx';
import { FormFields, USUAL } from './form-fields.tsx';
import { Button } from '../parts/button.tsx';

/** The one that costs nothing is first, and chosen. */
const KINDS = [
  ['test', 'Test: answers for the sandbox’s addresses, and costs nothing'],
  ['live', 'Live: verifies, and costs credits'],
  ['form', 'Form: goes into a web page, and checks one address at a time'],
  ['formtest', 'Form, for tests: answers for the sandbox’s addresses, and costs nothing'],
] as const;

type Props = { readonly onMade: () => void; readonly onClose: () => void };

/** Makes a key, and shows it once. */
export function NewKey({ onMade, onClose }: Props) {
  const [made, setMade] = useState<NewPageKey | null>(null);
  return (
    <Dialog title={made === null ? 'New key' : `Key “${made.label}” created`} onClose={onClose}>
      {(close) =>
        made === null ? (
          <Make
            onMade={(key) => {
              onMade();
              // That of a form is no secret: it stands on the page with its lines.
              if (key.form === undefined) setMade(key);
              else close();
            }}
            cancel={close}
          />
        ) : (
          <Made made={made} done={close} />
        )
      }
    </Dialog>
  );
}

function Make({ onMade, cancel }: { readonly onMade: (key: NewPageKey) => void; readonly cancel: () => void }) {
  const [label, setLabel] = useState('');
  const [kind, setKind] = useState<PageKeyEntry['kind']>('test');
  const [form, setForm] = useState(USUAL);
  const [caps, setCaps] = useState(NO_CAPS);
  const isOfForm = kind === 'form' || kind === 'formtest';
  const make = useAction(async () => {
    const settings = { ...(isOfForm && { form }), ...(kind === 'live' && { caps }) };
    onMade(await call<NewPageKey>('POST', 'keys', { kind, label, ...settings }));
  });
  return (
    <Form action={make}>
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
      {kind === 'live' && <CapFields caps={caps} onChange={setCaps} />}
      {isOfForm && <FormFields settings={form} isTest={kind === 'formtest'} onChange={setForm} />}
      <div class="row end">
        <Button kind="quiet" words="Cancel" onPress={cancel} />
        <Button words="Create key" busy={make} />
      </div>
    </Form>
  );
}

function Made({ made, done }: { readonly made: NewPageKey; readonly done: () => void }) {
  const email = made.kind === 'test' ? SANDBOX_ADDRESS : signedIn().person.email;
  return (
    <>
      <p>Copy it now: it is shown only once, because only its hash is stored.</p>
      <p class="row">
        <code class="key">{made.key}</code>
        <CopyButton text={made.key} words="Copy the key" />
      </p>
      <h3>A first call with it</h3>
      <FirstCall apiKey={made.key} email={email} />
      <div class="row end">
        <Button words="I have copied it" onPress={done} />
      </div>
    </>
  );
}
