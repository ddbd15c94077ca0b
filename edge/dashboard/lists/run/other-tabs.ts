import { signal } from '@preact/signals';

// How far lists are that other tabs of this browser are verifying.

export type Far = { readonly answered: number; readonly size: number };

const channel = new BroadcastChannel('rcpt-lists');

/** By the id of the list, as it was told last. */
export const inOtherTabs = signal<ReadonlyMap<string, Far>>(new Map());

channel.addEventListener('message', ({ data }: MessageEvent<{ id: string } & Far>) => {
  inOtherTabs.value = new Map(inOtherTabs.value).set(data.id, data);
});

/** Tells the other tabs how far a list of this one is. */
export function tellOtherTabs(id: string, far: Far): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is its origin's already
  channel.postMessage({ id, ...far });
}
