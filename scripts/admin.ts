import { endWhenUnread } from '../prober/base/closed-pipe.ts';
import { runAdmin } from './admin/program.ts';

endWhenUnread();
process.exitCode = await runAdmin(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
