import { useEffect } from 'preact/hooks';

/** Reads something again and again while the page is looked at. */
export function useEvery(everyMs: number, reload: () => Promise<void>): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
}
