import { useEffect, useState } from 'preact/hooks';
import { TroubleNotice, Waiting } from '../parts/loaded.tsx';
import { draft, isOpening, open, trouble } from './draft.ts';
import { Prepare } from './prepare.tsx';
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
          {isOpening.value && <Waiting as="part" />}
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

function openFirst(files: FileList | null | undefined): void {
  const file = files?.[0];
  if (file !== undefined) void open(file);
}

function DropZone() {
  const [isOver, setIsOver] = useState(false);
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        openFirst(event.dataTransfer?.files);
      }}
    >
      <label class="drop-label">
        <span class="drop-title">Drop a file here, or choose one</span>
        <span class="soft">
          CSV, TSV, JSON or Excel (.xlsx), up to a million rows. You see the price before anything starts.
        </span>
        <input
          type="file"
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.xlsx,text/csv,text/plain,application/json"
          onChange={(event) => {
            openFirst(event.currentTarget.files);
            event.currentTarget.value = '';
          }}
        />
      </label>
      <p class="soft">
        <strong>The file stays in this browser.</strong> It is read here and kept here; only its addresses go out, a few
        hundred at a time, to be verified. The other columns never leave.
      </p>
    </div>
  );
}
