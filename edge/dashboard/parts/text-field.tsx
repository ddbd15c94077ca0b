import { Field } from './field.tsx';

type Props = {
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly placeholder?: string;
  readonly autocomplete: 'off' | 'organization';
  readonly value: string;
  readonly onValue: (value: string) => void;
};

/** A line of text to fill in. */
export function TextField({ label, hint, onValue, ...input }: Props) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(id, describedBy) => (
        <input
          id={id}
          aria-describedby={describedBy}
          {...input}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
