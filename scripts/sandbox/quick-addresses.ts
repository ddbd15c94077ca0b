/** Addresses of the sandbox whose verdicts come at once, of every kind: what a load is made of that is not to wait for servers. */
export const QUICK_ADDRESSES = [
  'ok@deliverable.test',
  'nobody@deliverable.test',
  'full@deliverable.test',
  'greylisted@deliverable.test',
  'anyone@catchall.test',
  'ok@backup-mx.test',
  'ok@implicit-mx.test',
  'ok@null-mx.test',
  'ok@greeting-554.test',
  'ok@ehlo-rejected.test',
  'ok@mail-rejected.test',
  'no address at all',
] as const;
