import type { Account, Statement } from '../../../schema/admin.ts';
import { Loaded } from '../parts/loaded.tsx';
import { More } from '../parts/more.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { useResource } from '../session/load.ts';
import { useCursor } from '../parts/cursor.ts';
import { numbers, Table } from '../parts/table.tsx';
import { atMoment, count, counted, credits, onDay, signed } from '../words/numbers.ts';
import { LEDGER_WORDS } from '../words/ledger.ts';
import { callAdmin } from './call.ts';
import type { OperatorKey } from './key.ts';
import { Orders } from './orders.tsx';

const ROWS_READ = '50';

type Props = { readonly id: string; readonly operatorKey: OperatorKey };

/** One account: what it has, who shares it, what it bought and where its credits went. */
export function AccountPage({ id, operatorKey }: Props) {
  const account = useResource(() => callAdmin<Account>(operatorKey, `/accounts/${encodeURIComponent(id)}`));
  return (
    <Loaded load={account.load.value} reload={() => void account.reload()} as="page">
      {(known) => (
        <>
          <Facts id={id} account={known} />
          <section class="card" aria-labelledby="orders-title">
            <h2 id="orders-title">Orders</h2>
            <Orders operatorKey={operatorKey} account={id} state={null} />
          </section>
          <Ledger id={id} operatorKey={operatorKey} />
        </>
      )}
    </Loaded>
  );
}

function Facts({ id, account }: { readonly id: string; readonly account: Account }) {
  const { name, balance, openHolds, refundDays, keys, expiresAt, people, lastUse, createdAt } = account;
  const returned = refundDays.reduce((sum, { batches }) => sum + batches, 0);
  return (
    <section class="card" aria-labelledby="account-title">
      <h2 id="account-title" class="wrap">
        {name}
      </h2>
      <Receipt
        label={name}
        lines={[
          { label: 'Account id', value: id },
          { label: 'Opened', value: onDay(createdAt) },
          { label: 'Last use', value: lastUse === null ? 'Never' : onDay(lastUse) },
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
      <h3>People</h3>
      {people.length === 0 ? (
        <p class="soft">Nobody signs in to this account.</p>
      ) : (
        <ul>
          {people.map(({ email, role }) => (
            <li key={email} class="wrap">
              {email} <span class="soft">{role}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Ledger({ id, operatorKey }: Props) {
  const { load, reload, more } = useCursor<Statement>((before) => {
    const query = new URLSearchParams({ limit: ROWS_READ, ...(before === null ? {} : { before }) });
    return callAdmin(operatorKey, `/accounts/${encodeURIComponent(id)}/ledger?${query.toString()}`);
  });
  return (
    <section class="card" aria-labelledby="ledger-title">
      <h2 id="ledger-title">Ledger</h2>
      <Loaded load={load} reload={reload}>
        {(pieces) => {
          const rows = pieces.flatMap((piece) => piece.rows);
          return rows.length === 0 ? <p class="soft">No rows yet.</p> : <LedgerRows rows={rows} />;
        }}
      </Loaded>
      <More more={more} words="Show older rows" />
    </section>
  );
}

function LedgerRows({ rows }: { readonly rows: Statement['rows'] }) {
  return (
    <Table
      named={{ by: 'ledger-title' }}
      columns={['What', numbers('Credits'), numbers('Balance'), 'When', 'Reference']}
    >
      {rows.map((row) => (
        <tr key={`${row.kind}:${row.ref}`}>
          <td>{LEDGER_WORDS[row.kind]}</td>
          <td class={row.delta > 0 ? 'number plus' : 'number'}>{signed(row.delta)}</td>
          <td class="number">{count(row.balance)}</td>
          <td class="date soft">{atMoment(row.at)}</td>
          <td class="date">
            <code>{row.ref}</code>
          </td>
        </tr>
      ))}
    </Table>
  );
}
