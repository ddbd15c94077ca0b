/** A reader that has seen enough, as in `status | head`, ends the command; it is no error of anybody's. */
export function endWhenUnread(stream: NodeJS.WriteStream = process.stdout): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
