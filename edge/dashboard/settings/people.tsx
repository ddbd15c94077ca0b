import { useState } from 'preact/hooks';
import type { InvitationEntry, People as PeopleOfAccount, PersonEntry } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { refreshMe, signedIn } from '../session/me.ts';
import { useAction } from '../parts/action.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Entries } from '../parts/entries.tsx';
import { Check } from '../parts/check.tsx';
import { Choice } from '../parts/choice.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded, TroubleNotice } from '../parts/loaded.tsx';
import { TextField } from '../parts/text-field.tsx';
import { onDay } from '../words/numbers.ts';
import { Button } from '../parts/button.tsx';

/** Who shares the account, and who was asked to. */
export function People() {
  const { account, person: me } = signedIn();
  const isOwner = account.role === 'owner';
  const people = useResource(() => call<PeopleOfAccount>('GET', 'people'));
  const [leaving, setLeaving] = useState<PersonEntry | null>(null);
  const [endsKeys, setEndsKeys] = useState(false);
  const change = useAction(async (method: 'PUT' | 'DELETE', path: string, body: object) => {
    await call(method, path, body);
    await Promise.all([people.reload(), refreshMe()]);
  });
  const personOf = (person: PersonEntry, isOnlyOwner: boolean) => ({
    id: person.id,
    title: person.id === me.id ? `${person.email} (you)` : person.email,
    note: `${isOnlyOwner ? 'Only owner' : person.role === 'owner' ? 'Owner' : 'Member'} since ${onDay(person.joinedAt)}`,
    // An account needs an owner: what would leave it without one is not offered.
    actions: !isOnlyOwner && (
      <>
        {isOwner && (
          <Button
            kind="quiet"
            words={`Make ${otherRole(person.role)}`}
            label={`Make ${otherRole(person.role)}: ${person.email}`}
            onPress={() => change.run('PUT', `people/${person.id}/role`, { role: otherRole(person.role) })}
          />
        )}
        {(isOwner || person.id === me.id) && (
          <Button
            kind="quiet"
            words={person.id === me.id ? 'Leave' : 'Remove'}
            label={person.id === me.id ? `Leave ${account.name}` : `Remove ${person.email}`}
            onPress={() => {
              setEndsKeys(false);
              setLeaving(person);
            }}
          />
        )}
      </>
    ),
  });
  const invitationOf = (invitation: InvitationEntry) => ({
    id: invitation.id,
    title: invitation.email,
    note: `Invited as ${invitation.role} by ${invitation.invitedBy}, until ${onDay(invitation.expiresAt)}`,
    actions: isOwner && (
      <Button
        kind="quiet"
        words="Withdraw"
        label={`Withdraw the invitation of ${invitation.email}`}
        onPress={() => change.run('DELETE', `invitations/${invitation.id}`, {})}
      />
    ),
  });
  return (
    <section class="card" aria-labelledby="people-title">
      <h2 id="people-title">People</h2>
      <Loaded load={people.load.value} reload={() => void people.reload()}>
        {(known) => {
          const owners = known.people.filter(({ role }) => role === 'owner');
          const rows = known.people.map((one) => personOf(one, owners.length === 1 && owners[0]?.id === one.id));
          return (
            <>
              <Entries entries={[...rows, ...known.invitations.map(invitationOf)]} empty="Nobody." />
              {owners.length === 1 && owners[0]?.id === me.id && known.people.length > 1 && (
                <p class="soft">To leave, first make somebody else an owner.</p>
              )}
            </>
          );
        }}
      </Loaded>
      {change.trouble.value !== null && <TroubleNotice trouble={change.trouble.value} />}
      {isOwner && <Invite onInvited={() => void people.reload()} />}
      {leaving !== null && (
        <Confirm
          title={leaving.id === me.id ? `Leave ${account.name}?` : `Remove ${leaving.email}?`}
          verb={leaving.id === me.id ? 'Leave' : 'Remove'}
          close={() => setLeaving(null)}
          work={async () => {
            await call('DELETE', `people/${leaving.id}?keys=${endsKeys ? 'end' : 'stay'}`);
            await (leaving.id === me.id ? refreshMe() : people.reload());
          }}
        >
          <p>
            {leaving.id === me.id ? 'You' : 'They'} will no longer see this account. Its credits stay with it, and so do
            its keys: anything that uses one keeps working.
          </p>
          <Check
            words={`Delete the keys that ${leaving.id === me.id ? 'you' : 'they'} created`}
            isOn={endsKeys}
            turn={setEndsKeys}
          />
        </Confirm>
      )}
    </section>
  );
}

function otherRole(role: PersonEntry['role']): PersonEntry['role'] {
  return role === 'owner' ? 'member' : 'owner';
}

function Invite({ onInvited }: { readonly onInvited: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<PersonEntry['role']>('member');
  const invite = useAction(async () => {
    await call('POST', 'invitations', { email, role });
    setEmail('');
    onInvited();
  });
  return (
    <Form action={invite}>
      <div class="row wide">
        <TextField label="Invite by email" type="email" required autocomplete="off" value={email} onValue={setEmail} />
        <Choice
          label="As"
          options={[
            ['member', 'Member'],
            ['owner', 'Owner'],
          ]}
          value={role}
          onValue={(value) => setRole(value === 'owner' ? 'owner' : 'member')}
        />
        <Button words="Invite" busy={invite} />
      </div>
    </Form>
  );
}
