import { parseArguments } from '../../local/arguments.ts';
import { readyJson } from '../../local/ready-message.ts';
import { startService } from '../../local/service.ts';

// `npm start -- --json` with two things more: workerd can be asked about its isolates, and SIGUSR2 has this process collect
// its garbage. Usage: node --expose-gc service.ts INSPECTOR_PORT, then what `npm start` takes

const [inspectorPort, ...args] = process.argv.slice(2);
const options = parseArguments(args);
if ('help' in options) throw new Error('there is no help here');
const told = { say: (line: string) => void process.stderr.write(`${line}\n`), mail: () => undefined };
const service = await startService(options, told, Number(inspectorPort));
process.on('SIGUSR2', () => gc?.());
process.once('SIGTERM', () => {
  service.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.stdout.write(readyJson(service));
