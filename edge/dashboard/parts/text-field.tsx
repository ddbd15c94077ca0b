import { Field } from './field.tsx';

type Props = {
  readonly label: string;
  readonly hint?: string;
  readonly type?: 'email' | 'number';
  readonly name?: string;
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly autocomplete: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
};

/** A line to fill in. */
export function TextField({ label, hint, type, onValue, ...rest }: Props) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(id, describedBy) => {
        const input = {
          ...rest,
          id,
          'aria-describedby': describedBy,
          onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onValue(currentTarget.value),
        };
        if (type === 'email') return <input type="email" {...input} />;
        return type === 'number' ? <input type="number" {...input} /> : <input {...input} />;
      }}
    </Field>
  );
}
