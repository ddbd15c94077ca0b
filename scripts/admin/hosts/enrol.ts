import { type Enrolment, enrolmentSchema } from '../../../schema/enrolment.ts';
import { publicHalf } from '../../../schema/jwk.ts';
import { adminApi } from '../connection/api.ts';
import type { Connection } from '../connection/client.ts';
import { newKeyPair } from '../keys/key-pair.ts';
import { reserveSecretFile } from '../keys/secret-file.ts';

/**
 * Enrols a probe host: generates its key pair here, sends the public key to the edge, and writes its enrolment to a file of mode 0600. The
 * private key is only in that file.
 * @throws UsageError if the file cannot be made, AdminError if the edge refuses; then there is no file
 */
export async function enrolHost(connection: Connection, host: string, path: string): Promise<Enrolment> {
  const file = await reserveSecretFile(path);
  try {
    const privateKey = await newKeyPair();
    const enrolled = await adminApi(connection).addHost(host, publicHalf(privateKey));
    const enrolment = enrolmentSchema.parse({
      v: 1,
      host: enrolled.id,
      origin: connection.origin,
      shards: enrolled.shards,
      privateKey,
      edgeKeys: enrolled.edgeKeys,
      madeAt: Date.now(),
    } satisfies Enrolment);
    await file.write(`${JSON.stringify(enrolment, null, 2)}\n`);
    return enrolment;
  } catch (error) {
    await file.abandon();
    throw error;
  }
}
