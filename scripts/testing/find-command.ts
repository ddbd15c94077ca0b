import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program, or null if it is not installed. */
export function findCommand(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // In the next folder perhaps.
    }
  }
  return null;
}
