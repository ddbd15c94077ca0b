import { Command } from 'commander';
import { publicHalf } from '../../../schema/jwk.ts';
import { newKeyPair } from '../keys/key-pair.ts';
import { print } from '../output/print.ts';
import { reserveSecretFile } from '../keys/secret-file.ts';

/** `edge-key`: makes the key that the edge signs jobs with. Calls nobody. */
export function edgeKeyCommand(write: (text: string) => void): Command {
  return new Command('edge-key')
    .description('make a key for the edge to sign jobs with: the value of the secret EDGE_SIGNING_KEY, to a file')
    .requiredOption('--out <file>', 'where it is kept, never overwritten')
    .action(async (options: { out: string }, command: Command) => {
      const file = await reserveSecretFile(options.out);
      const key = await newKeyPair();
      await file.write(`${JSON.stringify(key)}\n`);
      print(command, write, { file: options.out, publicKey: publicHalf(key) }, [
        `The key is in ${options.out} (mode 600): wrangler secret put EDGE_SIGNING_KEY < ${options.out}`,
      ]);
    });
}
