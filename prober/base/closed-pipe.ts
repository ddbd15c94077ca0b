/**
 * A reader that has seen enough, as in `status | head`, ends the command without an error. Any other failure to write
 * output ends it with one line and exit code 1.
 */
export function endWhenUnread(stream: NodeJS.WriteStream = process.stdout): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    standardError().write(`The output cannot be written: ${error.code ?? error.message}\n`);
    process.exit(1);
  });
  standardError();
}

/** Where messages go; one that cannot be written ends nothing. */
export function standardError(): NodeJS.WriteStream {
  const { stderr } = process;
  if (stderr.listenerCount('error') === 0) stderr.on('error', () => {});
  return stderr;
}
