import { call } from '../session/api.ts';
import { refreshMe, signedIn } from '../session/me.ts';
import { forgetPageKey } from '../session/page-key.ts';
import { useAction } from '../parts/action.ts';
import { TroubleNotice } from '../parts/loaded.tsx';
import { visit } from '../route/route.ts';
import { Account } from './account.tsx';
import { Data } from './data.tsx';
import { Passkeys } from './passkeys.tsx';
import { People } from './people.tsx';
import { Sessions } from './sessions.tsx';
import { Button } from '../parts/button.tsx';

/** The account, the people in it, and the reader's own ways in. */
export function Settings() {
  const { person } = signedIn();
  const leave = useAction(async () => {
    await call('POST', 'sign-out');
    forgetPageKey();
    visit('/', 'replace');
    await refreshMe();
  });
  return (
    <>
      <div class="row">
        <h1>Settings</h1>
        <span class="soft wrap">{person.email}</span>
        <Button kind="quiet" words="Sign out" run={leave} />
      </div>
      {leave.trouble.value !== null && <TroubleNotice trouble={leave.trouble.value} />}
      <Account />
      <People />
      <Passkeys />
      <Sessions />
      <Data />
    </>
  );
}
