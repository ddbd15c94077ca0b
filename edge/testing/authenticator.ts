import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

// An authenticator with one passkey, in the form that a browser passes on (WebAuthn Level 2, §6.1 and §5.8.1). Tests
// change what should be wrong about it.

const FLAGS = { present: 1, verified: 4, attested: 64 } as const;

export type Change = {
  readonly origin?: string;
  readonly host?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly flags?: number;
};

export class Authenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly #origin: string;
  readonly #publicKey: KeyObject;
  readonly #privateKey: KeyObject;
  counter: number;

  /** @param counter 0: it keeps none */
  constructor(origin: string, counter = 1) {
    this.#origin = origin;
    this.counter = counter;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#publicKey = publicKey;
    this.#privateKey = privateKey;
  }

  register(challenge: string, change: Change = {}): object {
    const flags = change.flags ?? FLAGS.present | FLAGS.verified | FLAGS.attested;
    const authenticatorData = Buffer.concat([this.#data(flags, change), Buffer.alloc(16), randomBytes(60)]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      user: { id: 'per_test', name: 'ann', displayName: 'ann' },
      response: {
        attestationObject: randomBytes(100).toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        clientDataJSON: this.#client('webauthn.create', challenge, change).toString('base64url'),
        publicKey: this.#publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
        publicKeyAlgorithm: -7,
        transports: ['internal'],
      },
    };
  }

  authenticate(challenge: string, change: Change = {}): object {
    if (this.counter > 0) this.counter += 1;
    const data = this.#data(change.flags ?? FLAGS.present | FLAGS.verified, change);
    const client = this.#client('webauthn.get', challenge, change);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        authenticatorData: data.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
      },
    };
  }

  #data(flags: number, { host = new URL(this.#origin).hostname }: Change): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.of(flags), counter]);
  }

  /** Decodes the challenge as base64url and encodes it again, as browsers do. */
  #client(type: string, challenge: string, change: Change): Buffer {
    const again = Buffer.from(change.challenge ?? challenge, 'base64url').toString('base64url');
    return Buffer.from(
      JSON.stringify({
        type: change.type ?? type,
        challenge: again,
        origin: change.origin ?? this.#origin,
        crossOrigin: false,
      }),
    );
  }
}
