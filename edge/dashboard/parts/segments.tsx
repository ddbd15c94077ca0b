type Props<Value> = {
  readonly legend: string;
  /** Of the group of choices, unlike any other on the page. */
  readonly name: string;
  readonly choices: ReadonlyArray<readonly [value: Value, words: string]>;
  readonly value: Value;
  readonly onValue: (value: Value) => void;
};

/** One of a few, all in sight. */
export function Segments<Value extends string | number>({ legend, name, choices, value, onValue }: Props<Value>) {
  return (
    <fieldset class="segments">
      <legend class="hidden">{legend}</legend>
      {choices.map(([one, words]) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === value} onChange={() => onValue(one)} />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}
