import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// What Windows refuses and Linux does not, for a process that loads this first (`node --import`): files opened for appending
// are not cut off (nodejs/node#3177), folders not opened, open files not replaced, and modes mean nothing. RENAMES_REFUSED:
// how often another program is said to have the target open.

const { open, rename } = fs.promises;
let refusals = Number(process.env['RENAMES_REFUSED'] ?? 0);
const paths = new Map<object, string>();
const appending = new WeakSet<object>();

function refusal(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: refused as on Windows, ${call}`), { code, syscall: call });
}

fs.promises.open = async (...args: Parameters<typeof open>) => {
  const [path, flags] = args;
  if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) throw refusal('EPERM', 'open');
  const file = await open(...args);
  const isAppending = typeof flags === 'string' ? flags.startsWith('a') : ((flags ?? 0) & fs.constants.O_APPEND) !== 0;
  if (isAppending) appending.add(file);
  paths.set(file, String(path));
  const close = file.close.bind(file);
  const truncate = file.truncate.bind(file);
  file.close = async () => {
    paths.delete(file);
    await close();
  };
  file.truncate = async (length) => {
    if (appending.has(file)) throw refusal('EPERM', 'ftruncate');
    await truncate(length);
  };
  file.chmod = async () => {};
  return file;
};

fs.promises.rename = async (from, to) => {
  if ([...paths.values()].some((path) => path === String(to) || path === String(from)))
    throw refusal('EPERM', 'rename');
  if (refusals > 0) {
    refusals -= 1;
    throw refusal('EBUSY', 'rename');
  }
  await rename(from, to);
};

fs.promises.chmod = async () => {};

syncBuiltinESMExports();
