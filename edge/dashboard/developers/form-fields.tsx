import { Check } from '../parts/check.tsx';
import { useState } from 'preact/hooks';
import { siteOf } from '../../../schema/form-site.ts';
import type { FormSettings } from '../../../schema/pages-api.ts';
import { Field } from '../parts/field.tsx';

export const USUAL: FormSettings = {
  origins: [],
  creditsPerDay: 500,
  perMinute: 6,
  perHour: 30,
  rejectsDisposable: false,
};

const NUMBERS = [
  ['perMinute', 'Checks per minute and visitor', 1_000],
  ['perHour', 'Checks per hour and visitor', 10_000],
] as const;

type Props = {
  readonly settings: FormSettings;
  /** Its checks cost nothing, and only the day limits them. */
  readonly isTest: boolean;
  readonly onChange: (settings: FormSettings) => void;
};

/** What a form's key allows. */
export function FormFields({ settings, isTest, onChange }: Props) {
  const [sites, setSites] = useState(settings.origins.join('\n'));
  const day = ['creditsPerDay', isTest ? 'Checks per day' : 'Credits per day', 1_000_000] as const;
  const change = (some: Partial<FormSettings>): void => onChange({ ...settings, ...some });
  return (
    <>
      <Field label="Sites" hint="1 to 10, one per line, such as shop.example or localhost:3000.">
        {(id, describedBy) => (
          <textarea
            id={id}
            aria-describedby={describedBy}
            required
            rows={2}
            value={sites}
            onInput={({ currentTarget: field }) => {
              const written = field.value.split(/[\s,;]+/).filter((site) => site !== '');
              const read = written.map((site) => ({ site, ...siteOf(site) }));
              const wrong = read.find((one) => 'wrong' in one);
              field.setCustomValidity(wrong === undefined ? '' : `${wrong.site}: ${wrong.wrong}.`);
              setSites(field.value);
              change({ origins: [...new Set(read.flatMap((one) => ('origin' in one ? one.origin : [])))] });
            }}
            onChange={({ currentTarget: field }) => field.validity.valid && setSites(settings.origins.join('\n'))}
          />
        )}
      </Field>
      <div class="row wide">
        {[day, ...(isTest ? [] : NUMBERS)].map(([name, words, max]) => (
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
      <Check
        words="Reject disposable addresses"
        isOn={settings.rejectsDisposable}
        turn={(rejectsDisposable) => change({ rejectsDisposable })}
      />
    </>
  );
}
