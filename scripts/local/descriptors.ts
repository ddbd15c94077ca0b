import * as z from 'zod';
import { StartError } from './start-error.ts';

/** The sandbox's mail servers listen at a thousand addresses; the rest is for connections. */
const NEEDED = { sandbox: 2_048, alone: 512 } as const;

/** Part of a diagnostic report. Node has raised the first limit to the second, and so will the processes that it starts. */
const reportSchema = z.object({ userLimits: z.object({ open_files: z.object({ soft: z.number() }) }) });

/** @throws StartError if fewer files and connections may be open than the service needs */
export function checkDescriptors(hasSandbox: boolean): void {
  const report = reportSchema.safeParse(process.report.getReport());
  // There is no limit.
  if (!report.success) return;
  const allowed = report.data.userLimits.open_files.soft;
  const needed = hasSandbox ? NEEDED.sandbox : NEEDED.alone;
  if (allowed >= needed) return;
  const instead = hasSandbox && allowed >= NEEDED.alone ? ', or give --no-sandbox' : '';
  throw new StartError(
    `The service needs ${needed} open files, and ${allowed} are allowed here: ulimit -n ${needed}${instead}.`,
  );
}
