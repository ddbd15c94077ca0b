import { useState } from 'preact/hooks';
import { spelling } from '../../../schema/words/result.ts';
import { call, Trouble } from '../session/api.ts';
import { refreshMe, signedIn } from '../session/me.ts';
import { Confirm } from '../parts/confirm.tsx';
import { TextField } from '../parts/text-field.tsx';
import { visit } from '../route/route.ts';

/** What is stored about the reader: to take along, or to delete. */
export function Data() {
  const { person } = signedIn();
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
        <button type="button" class="quiet" onClick={() => setIsDeleting(true)}>
          Delete me
        </button>
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
          <p>
            You are removed from all your accounts. An account without members is closed: its keys stop working and its
            credits are lost. The lists in this browser are deleted with their results; those in another browser are
            not.
          </p>
          <TextField label={`Type ${person.email} to confirm`} autocomplete="off" value={typed} onValue={setTyped} />
        </Confirm>
      )}
    </section>
  );
}
