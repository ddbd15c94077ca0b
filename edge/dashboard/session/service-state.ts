import { computed, signal } from '@preact/signals';

// Whether the service was able to verify when this page last called it: shown while the client still retries.

const isFailing = signal(false);
/** What the browser says of its network. */
export const isOnline = signal(navigator.onLine);
addEventListener('online', () => (isOnline.value = true));
addEventListener('offline', () => (isOnline.value = false));

/** @param status of an answer of the public API; null: there was none */
export function noteAnswer(status: number | null): void {
  isFailing.value = status === null || status >= 500;
}

/** What a page says of it while it waits; null: all is well. */
export const serviceTrouble = computed(() => {
  if (!isFailing.value) return null;
  return isOnline.value ? 'The service cannot verify at the moment.' : 'You are offline.';
});
