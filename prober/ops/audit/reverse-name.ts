import { judgeIp } from '../../engine/targets/routable.ts';
import { mend, NO_ANSWER, ok, unknown, type Finding } from './findings.ts';
import type { Names } from '../../node/resolve.ts';

/** The address's PTR is the EHLO name, and that name resolves back to the address: receivers compare this first. */
export async function checkReverseName(
  names: Names,
  ip: string,
  heloName: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  return Promise.all([checkPtr(names, ip, heloName, signal), checkForward(names, ip, heloName, signal)]);
}

async function checkPtr(names: Names, ip: string, heloName: string, signal: AbortSignal): Promise<Finding> {
  const answer = await names.ptr(ip, signal);
  if (answer.kind === 'failed') return unknown('ptr', ip, NO_ANSWER);
  if (answer.kind === 'none')
    return mend('ptr', ip, `has no PTR record; ask your hosting provider to set it to ${heloName}`);
  const said = answer.records.join(', ');
  return answer.records.includes(heloName)
    ? ok('ptr', ip, `its PTR is ${said}`)
    : mend(
        'ptr',
        ip,
        `its PTR is ${said}, but it says EHLO ${heloName}; change its PTR to ${heloName}, or use the PTR as the EHLO name`,
      );
}

async function checkForward(names: Names, ip: string, heloName: string, signal: AbortSignal): Promise<Finding> {
  const { addresses, certain } = await names.addresses(heloName, signal);
  const found = addresses.map((address) => judgeIp(address.ip)?.ip ?? address.ip);
  if (found.includes(ip)) return ok('forward', heloName, `resolves to ${ip}`);
  if (!certain) return unknown('forward', heloName, NO_ANSWER);
  const type = ip.includes(':') ? 'AAAA' : 'A';
  const instead = found.length === 0 ? 'has no address' : `resolves to ${found.join(', ')}`;
  return mend('forward', heloName, `${instead}, not to ${ip}; add the ${type} record ${ip}`);
}
