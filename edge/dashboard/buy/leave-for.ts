/** Goes to another site. The page is left: this ends only if the browser restores it. */
export async function leaveFor(url: string): Promise<void> {
  location.assign(url);
  await new Promise((restored) => addEventListener('pageshow', restored, { once: true }));
}
