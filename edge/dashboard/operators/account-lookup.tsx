import { useState } from 'preact/hooks';
import type { Account } from '../contract/operator-api.ts';
import { useAction } from '../parts/action.ts';
import { Field } from '../parts/field.tsx';
import { TroubleNotice } from '../parts/loaded.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { counted, credits, onDay } from '../words/numbers.ts';
import { callAdmin } from './call.ts';
import type { OperatorKey } from './key.ts';

/** One account, by its id. */
export function AccountLookup({ operatorKey }: { readonly operatorKey: OperatorKey }) {
  const [id, setId] = useState('');
  const [account, setAccount] = useState<Account | null>(null);
  const look = useAction(async () => {
    setAccount(null);
    setAccount(await callAdmin<Account>(operatorKey, `/accounts/${encodeURIComponent(id)}`));
  });
  return (
    <section class="card" aria-labelledby="lookup-title">
      <h2 id="lookup-title">Account</h2>
      <form
        class="row wide"
        onSubmit={(event) => {
          event.preventDefault();
          void look.run();
        }}
      >
        <Field label="Account id">
          {(field) => (
            <input
              id={field}
              required
              autocomplete="off"
              value={id}
              onInput={(event) => setId(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit" disabled={look.isBusy.value}>
          Look up
        </button>
      </form>
      {look.trouble.value !== null && <TroubleNotice trouble={look.trouble.value} />}
      {account !== null && <Facts account={account} />}
    </section>
  );
}

function Facts({ account }: { readonly account: Account }) {
  const { name, balance, openHolds, refundDays, keys, expiresAt } = account;
  const returned = refundDays.reduce((sum, { batches }) => sum + batches, 0);
  return (
    <>
      <h3 class="wrap">{name}</h3>
      <Receipt
        label={name}
        lines={[
          { label: 'Credits to spend', value: credits(account.credits) },
          { label: 'By the ledger', value: credits(balance) },
          { label: 'Good until', value: expiresAt === null ? '–' : onDay(expiresAt) },
          {
            label: 'Under way',
            value: `${counted(openHolds.batches, 'batch', 'batches')}, ${credits(openHolds.credits)}`,
          },
          { label: 'Returned whole, last 30 days', value: counted(returned, 'batch', 'batches') },
          { label: 'Keys', value: counted(keys.length, 'key', 'keys') },
        ]}
      />
    </>
  );
}
