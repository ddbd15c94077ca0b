import { useState } from 'preact/hooks';
import type { NewPageKey } from '../../../schema/pages-api.ts';
import { SANDBOX } from '../../../schema/words/sandbox.ts';
import { useAction } from '../parts/action.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { TroubleNotice } from '../parts/loaded.tsx';
import { TextField } from '../parts/text-field.tsx';
import { call, Trouble } from '../session/api.ts';
import { features, me } from '../session/me.ts';

type Answer = { readonly status: number; readonly requestId: string | null; readonly text: string };

/** Calls the API itself from this page, with a test key, which costs nothing and reaches nobody. */
export function TryIt() {
  const [key, setKey] = useState('');
  const [email, setEmail] = useState(SANDBOX[0]?.address ?? '');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const send = useAction(async () => {
    setAnswer(null);
    setAnswer(await verify(key.trim(), email));
  });
  return (
    <section class="card" aria-labelledby="try-it">
      <h2 id="try-it">Try it</h2>
      <p class="soft">
        A test key answers for the addresses of the sandbox: nothing is probed, and nothing is charged. The key stays in
        this page until you leave it.
      </p>
      <Form action={send}>
        <TextField
          label="Test key"
          required
          maxLength={200}
          value={key}
          placeholder={`${features()?.testKeyPrefix ?? ''}…`}
          autocomplete="off"
          onValue={setKey}
        />
        {key === '' && <OwnKey onMade={setKey} />}
        <Field label="Address to verify">
          {(id) => (
            <select id={id} value={email} onChange={({ currentTarget }) => setEmail(currentTarget.value)}>
              {SANDBOX.map(({ address, shows }) => (
                <option key={address} value={address}>
                  {address}: {shows}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="submit" disabled={send.isBusy.value}>
          Send the call
        </button>
      </Form>
      <div role="status">{answer !== null && <AnswerText answer={answer} />}</div>
    </section>
  );
}

/** Who is signed in need not go and fetch a key. */
function OwnKey({ onMade }: { readonly onMade: (key: string) => void }) {
  const make = useAction(async () => {
    onMade((await call<NewPageKey>('POST', 'keys', { kind: 'test', label: 'Tried in the docs' })).key);
  });
  if (me.value.state !== 'ready' || !me.value.value.signedIn)
    return (
      <p class="soft">
        <a href="/sign-in">Sign in</a> to make one under Developers.
      </p>
    );
  return (
    <>
      <button type="button" class="quiet" disabled={make.isBusy.value} onClick={() => void make.run()}>
        Make a test key
      </button>
      {make.trouble.value !== null && <TroubleNotice trouble={make.trouble.value} />}
    </>
  );
}

function AnswerText({ answer: { status, requestId, text } }: { readonly answer: Answer }) {
  return (
    <>
      <p>
        <strong>{status}</strong> {requestId !== null && <span class="soft wrap">X-Request-Id: {requestId}</span>}
      </p>
      <pre tabIndex={0} aria-label="Body of the response">
        <code>{text}</code>
      </pre>
    </>
  );
}

/** @throws Trouble */
async function verify(key: string, email: string): Promise<Answer> {
  const prefix = features()?.testKeyPrefix ?? '';
  if (!key.startsWith(prefix))
    throw new Trouble(
      `A test key begins with ${prefix}. Calls with a live key cost credits, so none is made from here.`,
      0,
    );
  const response = await fetch('/api/v1/verify', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ emails: [email] }),
    // The key alone proves who calls.
    credentials: 'omit',
  }).catch(() => null);
  if (response === null) throw new Trouble('The service cannot be reached right now.');
  const text = await response.text();
  return { status: response.status, requestId: response.headers.get('x-request-id'), text: indented(text) };
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
