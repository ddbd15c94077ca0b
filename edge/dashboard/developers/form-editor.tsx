import { type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FormSettings } from '../../../schema/pages-api.ts';
import type { Action } from '../parts/action.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { TextField } from '../parts/text-field.tsx';

type Props = {
  /** As they are. */
  readonly settings: FormSettings;
  readonly verb: string;
  readonly action: Action<[FormSettings]>;
  readonly children?: ComponentChildren;
};

const NUMBERS = [
  ['creditsPerDay', 'Credits a day', 1_000_000],
  ['perMinute', 'Checks a minute and visitor', 1_000],
  ['perHour', 'Checks an hour and visitor', 10_000],
] as const;

/** What a form's key allows. */
export function FormEditor({ settings, verb, action, children }: Props) {
  const { label, origins, creditsPerDay, perMinute, perHour, rejectsDisposable } = settings;
  const [chosen, setChosen] = useState({ label, creditsPerDay, perMinute, perHour, rejectsDisposable });
  const [sites, setSites] = useState(origins.join('\n'));
  const wanted = { ...chosen, origins: sites.split(/[\s,]+/).filter((site) => site !== '') };
  return (
    <Form action={{ ...action, run: () => action.run(wanted) }}>
      <TextField
        label="Name of the form"
        required
        maxLength={64}
        value={chosen.label}
        autocomplete="off"
        onValue={(text) => setChosen({ ...chosen, label: text })}
      />
      <Field label="Sites" hint="1 to 10, one a line, as https://shop.example. http://localhost:3000 is allowed too.">
        {(id, describedBy) => (
          <textarea
            id={id}
            aria-describedby={describedBy}
            required
            rows={2}
            value={sites}
            onInput={(event) => setSites(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="row wide">
        {NUMBERS.map(([name, words, max]) => (
          <Field key={name} label={words}>
            {(id) => (
              <input
                type="number"
                id={id}
                required
                min={1}
                max={max}
                value={chosen[name]}
                onInput={(event) => setChosen({ ...chosen, [name]: event.currentTarget.valueAsNumber })}
              />
            )}
          </Field>
        ))}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.rejectsDisposable}
          onChange={(event) => setChosen({ ...chosen, rejectsDisposable: event.currentTarget.checked })}
        />
        Reject disposable addresses
      </label>
      {children}
      <button type="submit" disabled={action.isBusy.value}>
        {verb}
      </button>
    </Form>
  );
}
