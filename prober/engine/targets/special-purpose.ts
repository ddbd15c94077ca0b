// Address blocks that are never dialled: the complete IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890,
// as of 2026-11), including what their "globally reachable" column allows, and multicast, which has registries of its
// own.

/** CIDR and what the block is for. */
export type SpecialBlock = readonly [cidr: string, purpose: string];

export const SPECIAL_IPV4: readonly SpecialBlock[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private use'],
  ['100.64.0.0/10', 'shared address space (carrier NAT)'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link local'],
  ['172.16.0.0/12', 'private use'],
  ['192.0.0.0/24', 'IETF protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'AMT'],
  ['192.88.99.0/24', '6to4 relay anycast, deprecated'],
  ['192.168.0.0/16', 'private use'],
  ['192.175.48.0/24', 'AS112 direct delegation'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved, and limited broadcast'],
];

/** Inside 2000::/3; all else is rejected anyway: mapped, NAT64, discard, ULA, link local, multicast. */
export const SPECIAL_IPV6: readonly SpecialBlock[] = [
  ['2001::/23', 'IETF protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, DRIP'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4: the IPv4 address inside may be anything'],
  ['2620:4f:8000::/48', 'AS112 direct delegation'],
  ['3fff::/20', 'documentation'],
];

export const GLOBAL_UNICAST_IPV6 = '2000::/3';
