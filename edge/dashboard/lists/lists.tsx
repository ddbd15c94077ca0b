import { useEffect } from 'preact/hooks';
import { Drop } from '../parts/drop.tsx';
import { TroubleNotice } from '../parts/loaded.tsx';
import { draft, isOpening, open, percent, refuse, trouble } from './draft.ts';
import { Prepare } from './prepare.tsx';
import { ReadingFile } from './reading/reading.tsx';
import { ListsKept } from './lists-kept.tsx';

/** Lists: a new one from a file, and those that this browser keeps. */
export function Lists() {
  useEffect(() => {
    // What comes next is there when the button is pressed, even if the network is not.
    void Promise.allSettled([import('./list-page.tsx'), import('../session/client.ts')]);
  }, []);
  return (
    <>
      <h1>Lists</h1>
      {draft.value !== null ? (
        <Prepare draft={draft.value} />
      ) : (
        <>
          <DropZone />
          {isOpening.value && <ReadingFile words="Reading the file" percent={percent.value} />}
          {trouble.value !== null && <TroubleNotice trouble={trouble.value} />}
          <ListsKept />
          <p class="soft">
            Mailed a list? <a href="/bounces">See what bounced</a> of each verdict.
          </p>
        </>
      )}
    </>
  );
}

function DropZone() {
  return (
    <Drop
      title="Drop a file here, or choose one"
      hint="CSV, TSV, JSON or Excel (.xlsx), up to a million rows. You see the price before anything starts."
      accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.xlsx,text/csv,text/plain,application/json"
      onFile={(file) => void open(file)}
      onRefused={refuse}
    >
      <p class="soft">
        <strong>The file stays in this browser.</strong> It is read here and kept here; only its addresses go out, a few
        hundred at a time, to be verified. The other columns never leave.
      </p>
    </Drop>
  );
}
