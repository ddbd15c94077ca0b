import { runAdmin } from './admin/program.ts';
import { endWhenUnread } from './base/closed-pipe.ts';

endWhenUnread();
process.exitCode = await runAdmin(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
