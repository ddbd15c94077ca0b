import { type ComponentChildren } from 'preact';

export type Line = {
  readonly label: ComponentChildren;
  readonly value: string;
  /** Set off from the rest, as a sum is. */
  readonly isTotal?: boolean;
};

/** Figures with their names, as on a receipt. */
export function Receipt({ lines, label }: { readonly lines: readonly Line[]; readonly label: string }) {
  return (
    <dl class="receipt" aria-label={label}>
      {lines.map((line, index) => (
        <div key={index} class={line.isTotal === true ? 'total' : undefined}>
          <dt>{line.label}</dt>
          <dd>{line.value}</dd>
        </div>
      ))}
    </dl>
  );
}
