import { useResource } from '../session/load.ts';
import { useAction } from '../parts/action.ts';
import { Loaded, TroubleNotice } from '../parts/loaded.tsx';
import { forgetKey, importKey, keptKey } from './key.ts';
import { State } from './state.tsx';
import { Button } from '../parts/button.tsx';

/** For operators: health, traffic and hosts, by calls that are signed in this browser. The rest is the command's. */
export function Operators() {
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
            <KeyFile onKey={() => void kept.reload()} />
          ) : (
            <>
              <div class="row">
                <p>
                  You sign calls as <strong>{key.name}</strong>.
                </p>
                <Button kind="quiet" words="Forget the key" onPress={() => forget.run()} />
              </div>
              <State operatorKey={key} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function KeyFile({ onKey }: { readonly onKey: () => void }) {
  const take = useAction(async (file: File) => {
    await importKey(await file.text());
    onKey();
  });
  return (
    <section class="left" aria-label="Your key">
      <p>
        Operators have no password: each call is signed with the key that <code>admin</code> uses. This browser keeps it
        and never reveals it again, not even to this page.
      </p>
      <label class="button file">
        Use a key file
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget: { files } }) => {
            const file = files?.[0];
            if (file !== undefined) void take.run(file);
          }}
        />
      </label>
      {take.trouble.value !== null && <TroubleNotice trouble={take.trouble.value} />}
    </section>
  );
}
