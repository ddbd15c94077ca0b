import { type ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type Props = {
  readonly label: string;
  readonly hint?: string;
  /** Gets the id that the label points at, and that of the hint, if there is one. */
  readonly children: (id: string, describedBy: string | undefined) => ComponentChildren;
};

/** One thing to fill in, with its name above it and a hint below. */
export function Field({ label, hint, children }: Props) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, hint === undefined ? undefined : hintId)}
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}
