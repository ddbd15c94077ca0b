import ipaddr from 'ipaddr.js';

/** Whether a canary's address is out on the internet, where mail servers are. */
export function isDiallable(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'unicast';
}
