import { useState } from 'preact/hooks';
import type { FormSettings } from '../../../schema/pages-api.ts';
import { Field } from '../parts/field.tsx';

export const USUAL: FormSettings = {
  origins: [],
  creditsPerDay: 500,
  perMinute: 6,
  perHour: 30,
  rejectsDisposable: false,
};

/** As the service takes them: https, or http on this machine, and no path. */
const SITE = /^(?:https:\/\/[^/\s]+|http:\/\/(?:(?:[\w-]+\.)?localhost|127\.[\d.]+|\[::1\])(?::\d+)?)\/?$/i;

const NUMBERS = [
  ['creditsPerDay', 'Credits per day', 1_000_000],
  ['perMinute', 'Checks per minute and visitor', 1_000],
  ['perHour', 'Checks per hour and visitor', 10_000],
] as const;

type Props = { readonly settings: FormSettings; readonly onChange: (settings: FormSettings) => void };

/** What a form's key allows. */
export function FormFields({ settings, onChange }: Props) {
  const [sites, setSites] = useState(settings.origins.join('\n'));
  const change = (some: Partial<FormSettings>): void => onChange({ ...settings, ...some });
  return (
    <>
      <Field label="Sites" hint="1 to 10, one per line, such as https://shop.example. http://localhost:3000 works too.">
        {(id, describedBy) => (
          <textarea
            id={id}
            aria-describedby={describedBy}
            required
            rows={2}
            value={sites}
            onInput={({ currentTarget: field }) => {
              const origins = field.value.split(/[\s,]+/).filter((site) => site !== '');
              const wrong = origins.find((site) => !SITE.test(site));
              field.setCustomValidity(wrong === undefined ? '' : `${wrong}: write a site as https://shop.example.`);
              setSites(field.value);
              change({ origins });
            }}
          />
        )}
      </Field>
      <div class="row wide">
        {NUMBERS.map(([name, words, max]) => (
          <Field key={name} label={words}>
            {(id) => (
              <input
                {...{ id, max, type: 'number', required: true, min: 1, value: settings[name] }}
                onInput={({ currentTarget }) => change({ [name]: currentTarget.valueAsNumber })}
              />
            )}
          </Field>
        ))}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.rejectsDisposable}
          onChange={({ currentTarget }) => change({ rejectsDisposable: currentTarget.checked })}
        />
        Reject disposable addresses
      </label>
    </>
  );
}
