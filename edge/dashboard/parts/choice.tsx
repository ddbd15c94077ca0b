import { Field } from './field.tsx';

type Props = {
  readonly label: string;
  readonly hint?: string;
  /** Shown while nothing is chosen. */
  readonly placeholder?: string;
  readonly options: ReadonlyArray<readonly [value: string, words: string]>;
  /** Empty: nothing is chosen. */
  readonly value: string;
  readonly onValue: (value: string) => void;
};

/** One of several, in a list that opens. */
export function Choice({ label, hint, placeholder, options, value, onValue }: Props) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(id, describedBy) => (
        <select
          id={id}
          aria-describedby={describedBy}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {placeholder !== undefined && value === '' && (
            <option value="" disabled>
              {placeholder}
            </option>
          )}
          {options.map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
