import { readdir, readFile } from 'node:fs/promises';

/**
 * The children of this process that run a program.
 * @param program file name of the executable
 */
export async function childrenRunning(program: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ((await isChild(pid, program)) ? [pid] : [])));
  return found.flat();
}

async function isChild(pid: number, program: string): Promise<boolean> {
  try {
    // pid (comm) state ppid …, where comm may hold anything, parentheses too
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    if (Number(parent) !== process.pid) return false;
    const [path] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    return path?.split('/').at(-1) === program;
  } catch {
    // It ended while we looked.
    return false;
  }
}
