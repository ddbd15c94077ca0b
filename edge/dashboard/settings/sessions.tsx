import type { SessionEntry } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { useAction } from '../parts/action.ts';
import { Entries } from '../parts/entries.tsx';
import { Loaded, TroubleNotice } from '../parts/loaded.tsx';
import { onDay } from '../words/numbers.ts';
import { Button } from '../parts/button.tsx';

/** Where the reader is signed in. */
export function Sessions() {
  const sessions = useResource(() => call<{ sessions: SessionEntry[] }>('GET', 'sessions'));
  const end = useAction(async (id: string) => {
    await call('DELETE', `sessions/${id}`);
    await sessions.reload();
  });
  return (
    <section class="card" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Where you are signed in</h2>
      <Loaded load={sessions.load.value} reload={() => void sessions.reload()}>
        {({ sessions: all }) => (
          <Entries
            empty="Nowhere."
            entries={all.map(({ id, current, device, by, lastUsed }) => ({
              id,
              title: current ? `${device} (here)` : device,
              note: `By ${by === 'link' ? 'a mailed link' : 'a passkey'}, last used ${onDay(lastUsed)}`,
              actions: !current && (
                <Button kind="quiet" words="Sign out" label={`Sign out ${device}`} onPress={() => end.run(id)} />
              ),
            }))}
          />
        )}
      </Loaded>
      {end.trouble.value !== null && <TroubleNotice trouble={end.trouble.value} />}
    </section>
  );
}
