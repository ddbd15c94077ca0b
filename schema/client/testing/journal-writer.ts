import { RcptError } from '../base/errors.ts';
import { fileJournal } from '../node/file-journal.ts';
import { resultOf } from './scripted-service.ts';

// A process that writes a journal until it is killed or cannot: `node journal-writer.ts PATH`. Each record that has
// survived is a line on standard output; the last line is the code of what stopped it.

const [path = ''] = process.argv.slice(2);
const journal = fileJournal(path, 'list');
try {
  await journal.open();
  for (let index = 0; ; index += 10) {
    const ten = Array.from({ length: 10 }, (_, n) => index + n);
    await Promise.all(
      ten.map((one) => journal.append({ index: one, asked: 1, atMs: 1, result: resultOf(`a${one}@x.test`) })),
    );
    process.stdout.write(ten.map((one) => `${one}\n`).join(''));
  }
} catch (error) {
  process.stdout.write(`${error instanceof RcptError ? error.code : String(error)}\n`);
  await journal.close();
}
