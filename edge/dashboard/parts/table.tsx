import { type ComponentChildren } from 'preact';

/** What stands above a column: words, or what else there is to say of it. */
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

/** A table in a box of its own, which can be reached and moved by the keyboard where the page is too narrow for it. */
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

/** A column of numbers, which stand below each other digit by digit. */
export function numbers(words: string): Column {
  return { words, kind: 'number' };
}
