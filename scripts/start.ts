import { endWhenUnread } from '../prober/base/closed-pipe.ts';
import { runStart } from './local/run.ts';

endWhenUnread();
process.exitCode = await runStart(process.argv.slice(2));
