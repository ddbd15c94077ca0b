import { useMemo, useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useResource } from '../../session/load.ts';
import { counted } from '../../words/numbers.ts';
import { apiDocument } from '../source/api-document.ts';
import { DOCS } from '../../route/paths.ts';
import { entriesOf, type Entry } from './entries.ts';
import { findEntries } from './find-entries.ts';

async function readEntries(): Promise<readonly Entry[]> {
  const [document, { PROGRAMS }] = await Promise.all([apiDocument(), import('../source/programs.ts')]);
  const pages = Object.entries(DOCS).map(([name, title]) => ({
    title,
    href: `/docs/${name}`,
    text: name === 'sign-up-form' ? 'What to do with each status while a person waits.' : `Programs in ${title}.`,
  }));
  const programs = Object.entries(PROGRAMS).flatMap(([name, all]) =>
    all.map(({ title, file, text }) => ({
      title: `${file}: ${title.toLowerCase()}`,
      href: `/docs/${name}#${file.replace(/\W/g, '-')}`,
      text,
    })),
  );
  return [...pages, ...entriesOf(document), ...programs];
}

/** Searches headings and text of all docs, in the browser. */
export function SearchBox() {
  const [query, setQuery] = useState('');
  return (
    <search class="docs-search">
      <Field label="Search the docs">
        {(id) => (
          <input
            id={id}
            type="search"
            autocomplete="off"
            spellcheck={false}
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
        )}
      </Field>
      {query.trim() !== '' && <Results query={query} done={() => setQuery('')} />}
    </search>
  );
}

function Results({ query, done }: { readonly query: string; readonly done: () => void }) {
  const entries = useResource(readEntries);
  return (
    <Loaded load={entries.load.value} reload={() => void entries.reload()}>
      {(all) => <Found entries={all} query={query} done={done} />}
    </Loaded>
  );
}

type FoundProps = { readonly entries: readonly Entry[]; readonly query: string; readonly done: () => void };

function Found({ entries, query, done }: FoundProps) {
  const found = useMemo(() => findEntries(entries, query), [entries, query]);
  return (
    <>
      <p class="soft" role="status">
        {found.length === 0 ? 'Nothing was found.' : counted(found.length, 'place', 'places')}
      </p>
      <ul>
        {found.map(({ title, href, snippet }) => (
          <li key={`${href} ${title}`}>
            <a href={href} onClick={done}>
              <strong class="wrap">{title}</strong>
              <span class="soft wrap">{snippet}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
