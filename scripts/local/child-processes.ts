import { readdir, readFile } from 'node:fs/promises';

/**
 * The children of a process that run a program.
 * @param program file name of the executable
 * @param ofProcess this process if it is left out
 */
export async function childrenRunning(program: string, ofProcess: number = process.pid): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ((await isChild(pid, program, ofProcess)) ? [pid] : [])));
  return found.flat();
}

async function isChild(pid: number, program: string, ofProcess: number): Promise<boolean> {
  try {
    // pid (comm) state ppid …, where comm may hold anything, parentheses too
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    if (Number(parent) !== ofProcess) return false;
    const [path] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    return path?.split('/').at(-1) === program;
  } catch {
    // It ended while we looked.
    return false;
  }
}
