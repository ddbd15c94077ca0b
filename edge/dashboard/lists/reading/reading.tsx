/** How far a file is read: some take a minute. @param words what is done with it */
export function ReadingFile({ words, percent }: { readonly words: string; readonly percent: number }) {
  return (
    <div class="row">
      <p role="status" class="soft">
        {words} …
      </p>
      <progress max={100} value={percent} aria-label={words} />
      <span class="soft">{percent} %</span>
    </div>
  );
}
