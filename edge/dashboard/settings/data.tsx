import { useMemo, useState } from 'preact/hooks';
import type { Ends } from '../../../schema/pages-api.ts';
import { spelling } from '../../../schema/words/result.ts';
import { call, Trouble } from '../session/api.ts';
import { resource } from '../session/load.ts';
import { refreshMe, signedIn } from '../session/me.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { TextField } from '../parts/text-field.tsx';
import { visit } from '../route/route.ts';
import { counted, credits } from '../words/numbers.ts';
import { Button } from '../parts/button.tsx';

/** What is stored about the reader: to take along, or to delete. */
export function Data() {
  const { person } = signedIn();
  const ends = useMemo(() => resource(readEnds), []);
  const [isDeleting, setIsDeleting] = useState(false);
  const [typed, setTyped] = useState('');
  return (
    <section class="card" aria-labelledby="data-title">
      <h2 id="data-title">Your data</h2>
      <p>
        We store your email address, your sessions and passkeys, and what the account bought and used, in numbers. The
        addresses that you verify are never stored. A keyed hash shows for 24 hours whether a request is a repeat, and
        for a week which list it belongs to. If you got welcome credits, a keyed hash of your mailbox stays after you
        delete yourself, so that you get them once; nobody can read your address from it.
      </p>
      <div class="row">
        <a class="button quiet" href="/app/v1/me/export" download>
          Export everything
        </a>
        <Button
          kind="quiet"
          words="Delete me"
          onPress={() => {
            setIsDeleting(true);
            void ends.reload();
          }}
        />
      </div>
      {isDeleting && (
        <Confirm
          title="Delete everything about you?"
          verb="Delete for good"
          close={() => setIsDeleting(false)}
          work={async () => {
            if (spelling(typed) !== person.email) throw new Trouble(`Type ${person.email} to confirm.`, 0);
            const { accounts } = signedIn();
            await call('DELETE', 'me', { email: person.email });
            const { deleteListsOf } = await import('../lists/run/runs.ts');
            await deleteListsOf(accounts.map(({ id }) => id));
            visit('/', 'replace');
            await refreshMe();
          }}
        >
          <p>You are removed from all your accounts.</p>
          <Loaded load={ends.load.value} reload={() => void ends.reload()}>
            {(known) => <WhatEnds {...known} />}
          </Loaded>
          <TextField label={`Type ${person.email} to confirm`} autocomplete="off" value={typed} onValue={setTyped} />
        </Confirm>
      )}
    </section>
  );
}

type Known = Ends & { readonly lists: number };

async function readEnds(): Promise<Known> {
  const { storedLists } = await import('../lists/kept/stored.ts');
  const [ends, ...kept] = await Promise.all([
    call<Ends>('GET', 'me/ends'),
    ...signedIn().accounts.map(({ id }) => storedLists(id).catch(() => [])),
  ]);
  return { ...ends, lists: kept.flat().length };
}

function WhatEnds({ accounts, lastOwnerOf, lists }: Known) {
  if (lastOwnerOf !== null)
    return (
      <p>
        <strong>First make somebody else an owner of {lastOwnerOf}</strong>, or remove the others: you are its only
        owner.
      </p>
    );
  return (
    <ul>
      {accounts.map(({ name, credits: has, openOrders }) => (
        <li key={name}>
          {name} is closed, because it has no other people: its keys stop working, and{' '}
          <strong>{has === 0 ? 'it has no credits to lose' : `${credits(has)} are lost`}</strong>
          {openOrders > 0 && `; ${counted(openOrders, 'order', 'orders')} can no longer be paid`}.
        </li>
      ))}
      <li>
        {lists === 0 ? 'No list is' : counted(lists, 'list is', 'lists are')} deleted from this browser with all
        results. Those in another browser are not.
      </li>
    </ul>
  );
}
