import { type ComponentChildren } from 'preact';

export type Entry = {
  readonly id: string;
  readonly title: ComponentChildren;
  /** What else there is to know, in small letters. */
  readonly note: string;
  readonly actions: ComponentChildren;
};

/** Things with a name, a word about each, and what can be done with it. */
export function Entries({ entries, empty }: { readonly entries: readonly Entry[]; readonly empty: string }) {
  if (entries.length === 0) return <p class="soft">{empty}</p>;
  return (
    <ul class="entries">
      {entries.map(({ id, title, note, actions }) => (
        <li key={id}>
          <span class="entry-title wrap">{title}</span>
          <span class="soft">{note}</span>
          <span class="entry-actions">{actions}</span>
        </li>
      ))}
    </ul>
  );
}
