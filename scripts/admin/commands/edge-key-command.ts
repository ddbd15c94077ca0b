import { Command } from 'commander';
import { publicHalf } from '../../../schema/jwk.ts';
import { newKeyPair } from '../keys/key-pair.ts';
import { print } from '../output/print.ts';
import { reserveSecretFile } from '../keys/secret-file.ts';

/** `edge-key`: makes the key that the edge signs jobs with. Makes no call. */
export function edgeKeyCommand(write: (text: string) => void): Command {
  return new Command('edge-key')
    .description('generate the key with which the edge signs jobs (the secret EDGE_SIGNING_KEY) into a file')
    .requiredOption('--out <file>', 'file to write; never overwrites')
    .action(async (options: { out: string }, command: Command) => {
      const file = await reserveSecretFile(options.out);
      const key = await newKeyPair();
      await file.write(`${JSON.stringify(key)}\n`);
      print(command, write, { file: options.out, publicKey: publicHalf(key) }, [
        `The key is in ${options.out} (mode 600). It is the secret EDGE_SIGNING_KEY: edge/DEPLOYING.md`,
      ]);
    });
}
