type Props = { readonly words: string; readonly isOn: boolean; readonly turn: (isOn: boolean) => void };

/** Something that is so or not. */
export function Check({ words, isOn, turn }: Props) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={(event) => turn(event.currentTarget.checked)} />
      {words}
    </label>
  );
}
