import { computed, effect, signal } from '@preact/signals';
import type { Features, Me } from '../../../schema/pages-api.ts';
import { visit } from '../route/route.ts';
import { call, showView, whenOtherView, whenSignedOut } from './api.ts';
import { refreshBalance } from './balance.ts';
import { resource } from './load.ts';
import { forgetPageKey } from './page-key.ts';

export type SignedIn = Extract<Me, { signedIn: true }>;

const known = resource(() => call<Me>('GET', 'me'));

/** Who is signed in, if anyone. */
export const me = known.load;
export const refreshMe = known.reload;

/** The person who is signed in. @throws Error outside the views that only they see */
export function signedIn(): SignedIn {
  const load = me.value;
  if (load.state === 'ready' && load.value.signedIn) return load.value;
  throw new Error('Nobody is signed in.');
}

/** The id of the account that the person looks at; null if nobody is signed in. */
export function accountShown(): string | null {
  return me.value.state === 'ready' && me.value.value.signedIn ? me.value.value.account.id : null;
}

/** What this deployment offers; null while that is not known. */
export function features(): Features | null {
  return me.value.state === 'ready' ? me.value.value.features : null;
}

/** Whose page this is: ids of the person and of the account that they look at; null if nobody is signed in. */
export const view = computed(() => {
  const load = me.value;
  return load.state === 'ready' && load.value.signedIn ? `${load.value.person.id} ${load.value.account.id}` : null;
});

/** Whether another tab has changed what this one shows, and the reader has not gone on since. */
export const isChangedElsewhere = signal(false);

effect(() => showView(view.value));

whenOtherView(() => {
  forgetPageKey();
  isChangedElsewhere.value = true;
  void refreshMe();
});

/** Whether the session has ended without the reader's doing: they may go on where they are. */
export const hasEnded = signal(false);

whenSignedOut(() => {
  forgetPageKey();
  if (view.value === null) return;
  hasEnded.value = true;
  void lookAgain();
});

async function lookAgain(): Promise<void> {
  await refreshMe();
  if (view.value !== null) hasEnded.value = false;
}

effect(() => {
  if (view.value !== null) hasEnded.value = false;
});

/** How much in this tab waits for the reader to sign in again. */
export const held = signal(0);

/** Resolves once the session that ended is followed by another, or `stop` fires. */
export async function signedInAgain(stop: AbortSignal): Promise<void> {
  held.value += 1;
  const isOver = Promise.withResolvers<void>();
  stop.addEventListener('abort', () => isOver.resolve());
  const end = effect(() => {
    if (!hasEnded.value || stop.aborted) isOver.resolve();
  });
  await isOver.promise;
  end();
  held.value -= 1;
}

// The mailed link is opened in another tab: this one is told, or looks when the reader is back.
const channel = new BroadcastChannel('rcpt signed in');

/** The reader has signed in: in every tab of this browser that waits for it. */
export async function enter(): Promise<void> {
  await refreshMe();
  channel.postMessage(null);
}

async function wake(): Promise<void> {
  if (me.value.state !== 'ready' || view.value !== null) return;
  await refreshMe();
  if (view.value !== null && location.pathname === '/sign-in') visit('/', 'replace');
}
channel.addEventListener('message', () => void wake());
addEventListener('focus', () => void wake());

effect(() => {
  if (me.value.state === 'ready' && me.value.value.signedIn) void refreshBalance();
});
