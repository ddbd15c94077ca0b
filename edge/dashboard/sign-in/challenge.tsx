import { useEffect, useRef, useState } from 'preact/hooks';
import { Trouble } from '../session/api.ts';
import { TroubleNotice } from '../parts/loaded.tsx';

// The page asks Cloudflare for its script only when the service wants a challenge solved.

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

type Turnstile = {
  readonly render: (
    into: HTMLElement,
    options: {
      readonly sitekey: string;
      readonly callback: (solved: string) => void;
      readonly 'error-callback': () => void;
    },
  ) => string;
  readonly remove: (widget: string) => void;
};

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

let loaded: Promise<Turnstile> | null = null;

function load(): Promise<Turnstile> {
  loaded ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.addEventListener('load', () =>
      window.turnstile === undefined ? reject(new Error('no challenge came')) : resolve(window.turnstile),
    );
    script.addEventListener('error', () => reject(new Error('the challenge could not be loaded')));
    document.head.append(script);
  }).catch((error: unknown) => {
    // Tried again with the next challenge.
    loaded = null;
    throw error;
  });
  return loaded;
}

type Props = { readonly siteKey: string; readonly onSolved: (solved: string) => void };

/** Asks the reader to show that they are no machine. */
export function Challenge({ siteKey, onSolved }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    let isGone = false;
    let remove = (): void => {};
    const show = async (): Promise<void> => {
      try {
        const turnstile = await load();
        if (isGone || place.current === null) return;
        const options = { sitekey: siteKey, callback: onSolved, 'error-callback': () => setIsBroken(true) };
        const widget = turnstile.render(place.current, options);
        remove = () => turnstile.remove(widget);
      } catch {
        setIsBroken(true);
      }
    };
    void show();
    return () => {
      isGone = true;
      remove();
    };
  }, [siteKey]);
  return (
    <>
      <p role="status">Many people are asking for links right now. Complete this check, and we send yours.</p>
      <div ref={place} />
      {isBroken && (
        <TroubleNotice
          trouble={new Trouble('The challenge could not be shown. Reload the page, or sign in with a passkey.')}
        />
      )}
    </>
  );
}
