import { Command } from 'commander';
import { operatorNameSchema } from '../../../schema/admin.ts';
import { publicHalf } from '../../../schema/jwk.ts';
import { newKeyPair } from '../keys/key-pair.ts';
import { operatorKeyFileSchema } from '../connection/operator-key.ts';
import { print } from '../output/print.ts';
import { reserveSecretFile } from '../keys/secret-file.ts';
import { checked } from '../../base/usage-error.ts';

/** `operator-key`: makes the key that all other commands sign with. Makes no call. */
export function operatorKeyCommand(write: (text: string) => void): Command {
  return new Command('operator-key')
    .description(
      'generate an operator key: the private key into a file, the public key for OPERATOR_KEYS to standard output',
    )
    .argument('<name>', "operator's name")
    .requiredOption('--out <file>', 'file for the private key; never overwrites')
    .action(async (text: string, options: { out: string }, command: Command) => {
      const name = checked(operatorNameSchema, text, 'NAME');
      const file = await reserveSecretFile(options.out);
      const privateKey = await newKeyPair();
      await file.write(`${JSON.stringify(operatorKeyFileSchema.parse({ name, privateKey }), null, 2)}\n`);
      const entry = { [name]: publicHalf(privateKey) };
      print(command, write, entry, [
        `The private key is in ${options.out} (mode 600). Add this member to the secret OPERATOR_KEYS:`,
        JSON.stringify(entry),
      ]);
    });
}
