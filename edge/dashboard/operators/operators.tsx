import { useState } from 'preact/hooks';
import { useResource } from '../session/load.ts';
import { useAction } from '../parts/action.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Loaded, TroubleNotice } from '../parts/loaded.tsx';
import { TextField } from '../parts/text-field.tsx';
import type { OperatorsPart } from '../route/paths.ts';
import { AccountPage } from './account.tsx';
import { Accounts } from './accounts.tsx';
import { forgetKey, importKey, keptKey, makeKey, type OperatorKey } from './key.ts';
import { FilteredOrders } from './orders.tsx';
import { State } from './state.tsx';

const PARTS = [
  { name: 'hosts', href: '/operators', words: 'State' },
  { name: 'accounts', href: '/operators/accounts', words: 'Accounts' },
  { name: 'orders', href: '/operators/orders', words: 'Orders' },
] as const;

/** For operators: health, hosts, accounts and orders, by calls that are signed in this browser. */
export function Operators({ part }: { readonly part: OperatorsPart }) {
  const kept = useResource(keptKey);
  const forget = useAction(async () => {
    await forgetKey();
    await kept.reload();
  });
  return (
    <>
      <h1>Operators</h1>
      <Loaded load={kept.load.value} reload={() => void kept.reload()} as="page">
        {(key) =>
          key === null ? (
            <NewKey onKey={() => void kept.reload()} />
          ) : (
            <>
              <div class="row">
                <p>
                  You sign calls as <strong>{key.name}</strong>.
                </p>
                <PublicHalf operatorKey={key} />
                <button type="button" class="quiet" onClick={() => void forget.run()}>
                  Forget the key
                </button>
              </div>
              <nav class="tabs" aria-label="Operators’ pages">
                {PARTS.map(({ name, href, words }) => (
                  <a key={name} href={href} aria-current={isIn(part, name) ? 'page' : undefined}>
                    {words}
                  </a>
                ))}
              </nav>
              <Part part={part} operatorKey={key} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function isIn(part: OperatorsPart, name: OperatorsPart['name']): boolean {
  return part.name === name || (part.name === 'account' && name === 'accounts');
}

function Part({ part, operatorKey }: { readonly part: OperatorsPart; readonly operatorKey: OperatorKey }) {
  switch (part.name) {
    case 'hosts':
      return <State operatorKey={operatorKey} />;
    case 'accounts':
      return <Accounts operatorKey={operatorKey} />;
    case 'account':
      return <AccountPage key={part.id} id={part.id} operatorKey={operatorKey} />;
    case 'orders':
      return <FilteredOrders operatorKey={operatorKey} />;
  }
}

function PublicHalf({ operatorKey: { name, publicJwk } }: { readonly operatorKey: OperatorKey }) {
  return (
    <details>
      <summary>Public key, for OPERATOR_KEYS</summary>
      <p class="row">
        <code class="key">{`"${name}": ${publicJwk}`}</code>
        <CopyButton text={`"${name}": ${publicJwk}`} />
      </p>
    </details>
  );
}

function NewKey({ onKey }: { readonly onKey: () => void }) {
  const [name, setName] = useState('');
  const make = useAction(async () => {
    await makeKey(name);
    onKey();
  });
  const useFile = useAction(async (file: File) => {
    await importKey(await file.text());
    onKey();
  });
  const trouble = make.trouble.value ?? useFile.trouble.value;
  return (
    <form
      class="left"
      onSubmit={(event) => {
        event.preventDefault();
        void make.run();
      }}
    >
      <p>
        Operators have no password: each call is signed with a private key that this browser keeps and never reveals,
        not even to this page. Its public key goes into the secret OPERATOR_KEYS.
      </p>
      <TextField
        label="Your name as an operator"
        hint="Letters, digits, dots, _ and -, as in OPERATOR_KEYS."
        required
        pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
        autocomplete="off"
        value={name}
        onValue={setName}
      />
      <div class="row">
        <button type="submit" disabled={make.isBusy.value}>
          Create key
        </button>
        <label class="button quiet file">
          Use a key file
          <input
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget: { files } }) => {
              const file = files?.[0];
              if (file !== undefined) void useFile.run(file);
            }}
          />
        </label>
      </div>
      {trouble !== null && <TroubleNotice trouble={trouble} />}
    </form>
  );
}
