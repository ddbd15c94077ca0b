import { useState } from 'preact/hooks';
import type { KeyCaps, PageKeyEntry } from '../../../schema/pages-api.ts';
import { useAction } from '../parts/action.ts';
import { Form } from '../parts/form.tsx';
import { TextField } from '../parts/text-field.tsx';
import { call } from '../session/api.ts';
import { signedIn } from '../session/me.ts';
import { count, credits } from '../words/numbers.ts';
import { Button } from '../parts/button.tsx';

export const NO_CAPS: KeyCaps = { dayCap: null, monthCap: null };

type Props = { readonly keys: readonly PageKeyEntry[]; readonly reload: () => Promise<void> };

/** What live keys may spend and have spent. Owners change it. */
export function Caps({ keys, reload }: Props) {
  const isOwner = signedIn().account.role === 'owner';
  const shown = keys.flatMap(({ id, label, caps }) =>
    caps !== undefined && (isOwner || caps.dayCap !== null || caps.monthCap !== null) ? [{ id, label, caps }] : [],
  );
  if (shown.length === 0) return null;
  return (
    <article class="card" aria-labelledby="caps-title">
      <h3 id="caps-title">Caps of live keys</h3>
      <p class="soft">
        Credits that a key may spend a day and a calendar month (UTC). Beyond that its calls get 402, and cost nothing.
      </p>
      {shown.map(({ id, label, caps }) => (
        <section key={id} aria-label={label}>
          <h4 class="wrap">{label}</h4>
          <Spent cap={caps.dayCap} spent={caps.spentToday} words="today" />
          <Spent cap={caps.monthCap} spent={caps.spentThisMonth} words="this month" />
          {isOwner && <Change id={id} caps={caps} reload={reload} />}
        </section>
      ))}
    </article>
  );
}

type SpentProps = { readonly cap: number | null; readonly spent: number | null; readonly words: string };
function Spent({ cap, spent, words }: SpentProps) {
  if (cap === null || spent === null) return null;
  const text = `${count(spent)} of ${credits(cap)} ${words}`;
  return (
    <p>
      <progress max={cap} value={Math.min(spent, cap)} aria-label={text} /> {text}
    </p>
  );
}

type ChangeProps = Pick<Props, 'reload'> & { readonly id: string; readonly caps: KeyCaps };
function Change({ id, caps: { dayCap, monthCap }, reload }: ChangeProps) {
  const [caps, setCaps] = useState<KeyCaps>({ dayCap, monthCap });
  const save = useAction(async () => {
    await call('PUT', `keys/${id}`, { caps });
    await reload();
  });
  return (
    <details>
      <summary>{dayCap === null && monthCap === null ? 'No caps: set some' : 'Change'}</summary>
      <Form action={save}>
        <CapFields caps={caps} onChange={setCaps} />
        <Button words="Save caps" busy={save} />
      </Form>
    </details>
  );
}

type FieldsProps = { readonly caps: KeyCaps; readonly onChange: (caps: KeyCaps) => void };

/** The caps of a live key; an empty field is none. */
export function CapFields({ caps, onChange }: FieldsProps) {
  const field = (label: string, name: keyof KeyCaps) => (
    <TextField
      label={label}
      type="number"
      min={1}
      max={1_000_000_000}
      placeholder="No cap"
      autocomplete="off"
      value={caps[name]?.toString() ?? ''}
      onValue={(text) => onChange({ ...caps, [name]: text === '' ? null : Number(text) })}
    />
  );
  return (
    <div class="row wide">
      {field('Credits a day, at most', 'dayCap')}
      {field('Credits a month, at most', 'monthCap')}
    </div>
  );
}
