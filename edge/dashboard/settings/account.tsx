import { useState } from 'preact/hooks';
import { call } from '../session/api.ts';
import { balance } from '../session/balance.ts';
import { refreshMe, signedIn } from '../session/me.ts';
import { forgetPageKey } from '../session/page-key.ts';
import { useAction } from '../parts/action.ts';
import { Choice } from '../parts/choice.tsx';
import { Form } from '../parts/form.tsx';
import { TroubleNotice } from '../parts/loaded.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Button } from '../parts/button.tsx';

/** The account's name and when its owners are warned; and the other accounts of the reader. */
export function Account() {
  const { account, accounts } = signedIn();
  return (
    <section class="card" aria-labelledby="account-title">
      <h2 id="account-title">Account</h2>
      {accounts.length > 1 && <Switch />}
      {account.role === 'owner' ? (
        <AccountForm />
      ) : (
        <p>
          You are a member of <strong>{account.name}</strong>. Its owners can change its name, invite people and buy
          credits.
        </p>
      )}
    </section>
  );
}

function Switch() {
  const { account, accounts } = signedIn();
  const change = useAction(async (accountId: string) => {
    await call('PUT', 'me/account', { accountId });
    forgetPageKey();
    balance.value = null;
    await refreshMe();
  });
  return (
    <>
      <Choice
        label="You are looking at"
        options={accounts.map(({ id, name, role }) => [id, `${name} (${role})`])}
        value={account.id}
        onValue={(id) => void change.run(id)}
      />
      {change.trouble.value !== null && <TroubleNotice trouble={change.trouble.value} />}
    </>
  );
}

function AccountForm() {
  const { account } = signedIn();
  const [name, setName] = useState(account.name);
  const [lowBalanceAt, setLowBalanceAt] = useState(String(account.lowBalanceAt ?? ''));
  const [isSaved, setIsSaved] = useState(false);
  const save = useAction(async () => {
    await call('PUT', 'account', { name, lowBalanceAt: lowBalanceAt === '' ? null : Number(lowBalanceAt) });
    await refreshMe();
    setIsSaved(true);
  });
  return (
    <Form action={save} onInput={() => setIsSaved(false)}>
      <div class="row wide">
        <TextField label="Name" required maxLength={100} autocomplete="organization" value={name} onValue={setName} />
        <TextField
          label="Low-balance warning"
          hint="In credits. Owners get one email when the balance falls below this. Empty: a tenth of the last purchase; 0: no email."
          type="number"
          min={0}
          max={1_000_000_000}
          autocomplete="off"
          value={lowBalanceAt}
          onValue={setLowBalanceAt}
        />
      </div>
      <div class="row">
        <Button words="Save" busy={save} />
        <span role="status">{isSaved && 'Saved.'}</span>
      </div>
    </Form>
  );
}
