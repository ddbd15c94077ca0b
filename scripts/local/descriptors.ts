import * as z from 'zod';
import { StartError } from './start-error.ts';

/** Some 80 before the first call; the rest is for connections. What a Mac allows is enough. */
const NEEDED = 256;

/** Part of a diagnostic report. Node has raised the first limit to the second, and so will the processes that it starts. */
const reportSchema = z.object({ userLimits: z.object({ open_files: z.object({ soft: z.number() }) }) });

/** @throws StartError if fewer files and connections may be open than the service needs */
export function checkDescriptors(): void {
  const report = reportSchema.safeParse(process.report.getReport());
  // There is no limit.
  if (!report.success) return;
  const allowed = report.data.userLimits.open_files.soft;
  if (allowed < NEEDED)
    throw new StartError(
      `The service needs ${NEEDED} open files, and ${allowed} are allowed here: ulimit -n ${NEEDED}.`,
    );
}
