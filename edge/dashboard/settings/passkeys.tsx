import { useState } from 'preact/hooks';
import type { Challenge, PasskeyEntry } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { refreshMe, signedIn } from '../session/me.ts';
import { useAction } from '../parts/action.ts';
import { Entries } from '../parts/entries.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded, TroubleNotice } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { TextField } from '../parts/text-field.tsx';
import { visit } from '../route/route.ts';
import { ask } from '../sign-in/passkey.ts';
import { onDay } from '../words/numbers.ts';
import { Button } from '../parts/button.tsx';

const FORBIDDEN = 403;

export function Passkeys() {
  const passkeys = useResource(() => call<{ passkeys: PasskeyEntry[] }>('GET', 'passkeys'));
  const remove = useAction(async (id: string) => {
    await call('DELETE', `passkeys/${encodeURIComponent(id)}`);
    await passkeys.reload();
  });
  return (
    <section class="card" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">Passkeys</h2>
      <p class="soft">Sign in with your fingerprint, face or device PIN, without waiting for a mail.</p>
      <Loaded load={passkeys.load.value} reload={() => void passkeys.reload()}>
        {({ passkeys: all }) => (
          <Entries
            empty="None yet."
            entries={all.map(({ id, label, createdAt, lastUsed }) => ({
              id,
              title: label,
              note: `Created ${onDay(createdAt)}, ${lastUsed === null ? 'never used' : `last used ${onDay(lastUsed)}`}`,
              actions: <Button kind="quiet" words="Remove" label={`Remove ${label}`} onPress={() => remove.run(id)} />,
            }))}
          />
        )}
      </Loaded>
      {remove.trouble.value !== null && <TroubleNotice trouble={remove.trouble.value} />}
      <NewPasskey onMade={() => void passkeys.reload()} />
    </section>
  );
}

function NewPasskey({ onMade }: { readonly onMade: () => void }) {
  const { person } = signedIn();
  const [label, setLabel] = useState('');
  const make = useAction(async () => {
    const { client } = await import('@passwordless-id/webauthn');
    const { challenge } = await call<Challenge>('POST', 'passkeys/challenge');
    const user = { id: person.id, name: person.email, displayName: person.email };
    const registration = await ask(() =>
      client.register({ challenge, user, discoverable: 'required', userVerification: 'required' }),
    );
    if (registration === null) return;
    await call('POST', 'passkeys', { label, registration });
    setLabel('');
    onMade();
  });
  const enterAgain = useAction(async () => {
    await call('POST', 'sign-out');
    visit('/sign-in');
    await refreshMe();
  });
  if (make.trouble.value?.status === FORBIDDEN)
    return (
      <Notice tone="plain" title="Sign in again to add a passkey">
        <p>You signed in more than ten minutes ago. Signing in again shows that it is still you.</p>
        <Button words="Sign out, and in again" run={enterAgain} />
      </Notice>
    );
  return (
    <Form action={make}>
      <div class="row wide">
        <TextField
          label="Name of a new passkey"
          required
          maxLength={64}
          placeholder="Work laptop"
          autocomplete="off"
          value={label}
          onValue={setLabel}
        />
        <Button words="Add a passkey" busy={make} />
      </div>
    </Form>
  );
}
