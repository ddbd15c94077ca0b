import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

// What Linux has and macOS does not, for a process that loads this first (`node --import`): no /proc, no /dev/urandom to rely
// on, no sockets in an abstract namespace.

const MISSING = /^\/(?:proc(?:\/|$)|dev\/urandom$)/;
const { readFile, readdir, open } = fs.promises;
const { openSync, readFileSync, readdirSync } = fs;

function refuse(path: unknown): void {
  if (typeof path === 'string' && MISSING.test(path))
    throw Object.assign(new Error(`ENOENT: not on a Mac, ${path}`), { code: 'ENOENT' });
}

/** The same function, which finds nothing there. */
function without<A extends readonly unknown[], R>(call: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    refuse(args[0]);
    return call(...args);
  };
}

function later<A extends readonly unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    refuse(args[0]);
    return call(...args);
  };
}

Object.assign(fs.promises, { readFile: later(readFile), readdir: later(readdir), open: later(open) });
Object.assign(fs, {
  openSync: without(openSync),
  readFileSync: without(readFileSync),
  readdirSync: without(readdirSync),
});
const { prototype } = net.Server;
const listen: unknown = Reflect.get(prototype, 'listen');
Object.assign(prototype, {
  listen(this: net.Server, ...args: readonly unknown[]): unknown {
    if (String(args[0]).startsWith('\0')) throw Object.assign(new Error('EINVAL: not on a Mac'), { code: 'EINVAL' });
    return typeof listen === 'function' ? Reflect.apply(listen, this, args) : this;
  },
});
syncBuiltinESMExports();
