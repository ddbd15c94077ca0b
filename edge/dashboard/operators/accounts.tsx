import { useState } from 'preact/hooks';
import type { Accounts } from '../../../schema/admin.ts';
import { Field } from '../parts/field.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { More } from '../parts/more.tsx';
import { useCursor } from '../parts/cursor.ts';
import { numbers, Table } from '../parts/table.tsx';
import { count, onDay } from '../words/numbers.ts';
import { callAdmin } from './call.ts';
import type { OperatorKey } from './key.ts';

const ROWS_READ = '50';

/** All accounts, or those that a search finds. */
export function Accounts({ operatorKey }: { readonly operatorKey: OperatorKey }) {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  return (
    <section class="card" aria-labelledby="accounts-title">
      <h2 id="accounts-title">Accounts</h2>
      <form
        class="row wide"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(typed.trim());
        }}
      >
        <Field label="Search accounts" hint="A part of the id or of the name. Leave it empty to see all.">
          {(id, describedBy) => (
            <input
              id={id}
              type="search"
              aria-describedby={describedBy}
              maxLength={100}
              autocomplete="off"
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit">Search</button>
      </form>
      <Found key={search} search={search} operatorKey={operatorKey} />
    </section>
  );
}

function Found({ search, operatorKey }: { readonly search: string; readonly operatorKey: OperatorKey }) {
  const { load, reload, more } = useCursor<Accounts>((after) => {
    const query = new URLSearchParams({ limit: ROWS_READ });
    if (search !== '') query.set('search', search);
    if (after !== null) query.set('after', after);
    return callAdmin(operatorKey, `/accounts?${query.toString()}`);
  });
  return (
    <>
      <Loaded load={load} reload={reload}>
        {(pieces) => {
          const accounts = pieces.flatMap((piece) => piece.accounts);
          const missing = new Set(pieces.flatMap((piece) => piece.missing));
          if (accounts.length > 0)
            return (
              <>
                {missing.size > 0 && (
                  <p role="alert">
                    {[...missing].join(', ')} does not answer: the credits of its accounts are not known.
                  </p>
                )}
                <Rows accounts={accounts} />
              </>
            );
          return <p class="soft">{search === '' ? 'No accounts yet.' : `No account has “${search}” in it.`}</p>;
        }}
      </Loaded>
      <More more={more} words="Show more" />
    </>
  );
}

function Rows({ accounts }: { readonly accounts: Accounts['accounts'] }) {
  return (
    <Table
      named={{ by: 'accounts-title' }}
      columns={['Account', 'Name', numbers('Credits'), 'Until', numbers('People'), 'Last use', 'Opened']}
    >
      {accounts.map((account) => (
        <tr key={account.id}>
          <th scope="row">
            <a href={`/operators/accounts/${account.id}`}>{account.id}</a>
          </th>
          <td class="wrap">{account.name}</td>
          <td class="number">{account.credits === null ? '?' : count(account.credits)}</td>
          <td class="date">{account.expiresAt === null ? '–' : onDay(account.expiresAt)}</td>
          <td class="number">{count(account.people)}</td>
          <td class="date">
            {account.credits === null ? '?' : account.lastUse === null ? 'Never' : onDay(account.lastUse)}
          </td>
          <td class="date">{onDay(account.createdAt)}</td>
        </tr>
      ))}
    </Table>
  );
}
