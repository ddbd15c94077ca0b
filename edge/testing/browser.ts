/** What it visits: a service, and the mails that it sent. */
export type Visited = {
  readonly url: URL;
  readonly mails: ReadonlyArray<{ readonly to: string; readonly text: string }>;
};

// A browser at the pages' API: it keeps the cookie, sends its page's origin, and sends JSON.

export type PagesAnswer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

export class Browser {
  readonly #edge: Visited;
  /** The network that it calls from. */
  readonly #network: string;
  cookie: string | null = null;

  constructor(edge: Visited, network = `10.${byte()}.${byte()}.${byte()}`) {
    this.#edge = edge;
    this.#network = network;
  }

  /** @param headers differences from what the service's own page sends; null removes one */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string | null>> = {},
  ): Promise<PagesAnswer> {
    const all = {
      origin: this.#edge.url.origin,
      'content-type': 'application/json',
      'cf-connecting-ip': this.#network,
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      cookie: this.cookie,
      ...headers,
    };
    const sent = new Headers();
    for (const [name, value] of Object.entries(all)) if (value !== null) sent.set(name, value);
    const answer = await fetch(new URL(`/app/v1/${path}`, this.#edge.url), {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const set = answer.headers.get('set-cookie');
    if (set !== null) {
      const [pair = ''] = set.split(';');
      this.cookie = pair.endsWith('=') ? null : pair;
    }
    return { status: answer.status, headers: answer.headers, body: JSON.parse((await answer.text()) || 'null') };
  }

  /** Asks for a link and reads the token in the mail. */
  async mailedToken(email: string): Promise<string> {
    const before = this.#edge.mails.length;
    const asked = await this.ask('POST', 'sign-in', { email });
    if (asked.status !== 202) throw new Error(`sign-in answered ${asked.status}`);
    return this.nextToken(email, before);
  }

  /** The token of the mail to this address that comes after the first `before` mails. */
  async nextToken(email: string, before: number): Promise<string> {
    for (let tries = 0; tries < 1_000; tries += 1) {
      const mail = this.#edge.mails.slice(before).find(({ to }) => to === email);
      const token = mail === undefined ? undefined : /#token=(\w+)/.exec(mail.text)?.[1];
      if (token !== undefined) return token;
      await new Promise((wake) => setTimeout(wake, 10));
    }
    throw new Error('no mail in 10 s');
  }

  async signIn(email: string): Promise<void> {
    await this.#enter(await this.mailedToken(email));
  }

  /** Opens the link of an invitation, and the one that is mailed then to the invited address. */
  async join(invitation: string, email: string): Promise<void> {
    const before = this.#edge.mails.length;
    const opened = await this.ask('POST', 'sign-in/confirm', { token: invitation });
    if (opened.status !== 202) throw new Error(`sign-in/confirm answered ${opened.status} to an invitation`);
    await this.#enter(await this.nextToken(email, before));
  }

  async #enter(token: string): Promise<void> {
    const entered = await this.ask('POST', 'sign-in/confirm', { token });
    if (entered.status !== 200) throw new Error(`sign-in/confirm answered ${entered.status}`);
  }
}

function byte(): number {
  return Math.floor(Math.random() * 256);
}
