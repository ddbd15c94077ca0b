import { runStart } from './local/run.ts';

process.exitCode = await runStart(process.argv.slice(2));
