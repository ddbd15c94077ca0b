import type { Evidence } from '../../../schema/evidence.ts';

export type Recipient = { readonly local: string; readonly domain: string };
type Asking<By> = { readonly by: By; readonly atMs: number };

const NO_SIGNALS = { disposable: false, free: false, role: false, typoOf: null };

/** All receivers: each answer follows from the address alone, and is remembered with who asked. */
export class MailWorld<By> {
  readonly #now: () => number;
  readonly #askings = new Map<string, Asking<By>[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How long a receiver takes: most are quick, some slow. */
  takesMs({ local, domain }: Recipient): number {
    return domain.startsWith('slow') ? 600 : 40 + (Number.parseInt(local.slice(1), 36) % 7) * 30;
  }

  ask(recipient: Recipient, by: By): Evidence {
    const name = `${recipient.local}@${recipient.domain}`;
    this.#askings.set(name, [...this.askings(name), { by, atMs: this.#now() }]);
    return truthOf(recipient);
  }

  /** Who asked about an address, in order. */
  askings(name: string): readonly Asking<By>[] {
    return this.#askings.get(name) ?? [];
  }
}

/** What every honest host must say of an address. */
export function truthOf({ local, domain }: Recipient): Evidence {
  const mx = domain.startsWith('google') ? ['aspmx.l.google.com'] : [`mx.${domain}`];
  const code = 500 + (Number.parseInt(local.slice(1), 36) % 50);
  return {
    mx,
    mxFound: true,
    signals: NO_SIGNALS,
    outcome: local.startsWith('y')
      ? { kind: 'accepted', reply: { code: 250, enhanced: null }, madeUp: { kind: 'refused' } }
      : { kind: 'no_such_mailbox', reply: { code, enhanced: null } },
  };
}
