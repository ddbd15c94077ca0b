import { endsInLabels } from './provider.ts';

// Providers whose consumer mail hosts refuse or mislead every probe. Asking them costs this host its reputation and
// teaches nothing. A suffix matches whole labels.

/**
 * Microsoft's consumer mail. Its business tenants are on `mail.protection.outlook.com` and `mx.microsoft`, which answer
 * for their recipients and are asked.
 */
export const PROBE_BLOCKING_SUFFIXES: readonly string[] = [
  'olc.protection.outlook.com', // outlook-com., hotmail-com., live-com., msn-com. and country forms
  'hotmail.com', // mx1 to mx4, the older form
  'mail.live.com',
  'msn.com',
];

/** Whether the MX host `name` ends in one of the suffixes, by whole labels. */
export function isProbeBlocking(name: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => endsInLabels(name, suffix));
}
