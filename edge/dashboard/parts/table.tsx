import { type ComponentChildren } from 'preact';

/** The heading of a column: text, or text with its kind. */
type Column = string | { readonly words: ComponentChildren; readonly kind?: 'number' | 'chosen' | undefined };

type Props = {
  /** What the table is called: the id of the heading above it, or words where there is none. */
  readonly named: { readonly by: string } | { readonly as: string };
  /** None: there is no row of headings. */
  readonly columns: readonly Column[];
  readonly kind?: string;
  /** The rows. */
  readonly children: ComponentChildren;
};

/** A table in a scrollable box that the keyboard can reach and scroll where the page is too narrow. */
export function Table({ named, columns, kind, children }: Props) {
  const name = 'by' in named ? { 'aria-labelledby': named.by } : { 'aria-label': named.as };
  return (
    <div class="table-box" role="group" {...name} tabIndex={0}>
      <table class={kind}>
        {columns.length > 0 && (
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th key={at} scope="col" class={typeof column === 'string' ? undefined : column.kind}>
                  {typeof column === 'string' ? column : column.words}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A column of numbers, aligned digit by digit. */
export function numbers(words: string): Column {
  return { words, kind: 'number' };
}
