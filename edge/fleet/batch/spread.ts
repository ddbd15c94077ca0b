import type { BatchIndex } from '../../base/indexes.ts';
import { isOnTrial, type Member, newest, type Rate } from '../trust/roster.ts';

// Which host gets which domains of a batch: pure. README.md says why.

/** The addresses of one domain: they stay together, because a host learns once what concerns the domain. */
export type Parcel = { readonly domain: number; readonly indexes: readonly BatchIndex[] };
/** Addresses that a host is to get. */
export type Part = { readonly to: Member; readonly parcels: readonly Parcel[] };
/** Of a domain, the lot of a host: in (0, 1). */
export type Lot = (domain: number, host: string) => number;

/** No host gets more than this many times its fair share. */
const BOUND = 1.25;
/** A host that holds less than this part of its slots is not burdened: it keeps what is its own, however little others hold. */
const UNBURDENED = 1 / 40;
/** Hosts that get something at most, and addresses that are worth a part of their own. */
export type Cut = { readonly partsMax: number; readonly partMin: number };

type Place = { readonly member: Member; load: number; readonly parcels: Parcel[] };

/**
 * Gives each domain to the host that draws the greatest lot for it, among those that it does not overburden.
 * @param members who may get them
 */
export function spread(
  parcels: readonly Parcel[],
  { members, rate, lot }: { readonly members: readonly Member[]; readonly rate: Rate; readonly lot: Lot },
  { partsMax, partMin }: Cut,
): readonly Part[] {
  const candidates = preferred(newest(members), rate);
  const all = share(parcels, candidates, rate, lot);
  const bySize = all.toSorted((a, b) => sizeOf(b.parcels) - sizeOf(a.parcels));
  const worth = bySize.filter(({ parcels: own }) => sizeOf(own) >= partMin).slice(0, partsMax);
  if (worth.length === all.length) return all;
  const hosts = worth.map(({ to }) => to);
  return worth.length > 1 ? share(parcels, hosts, rate, lot) : whole(parcels, all, candidates, rate);
}

/** All to one host: the one to which most belongs, among those that it does not overburden. */
function whole(
  parcels: readonly Parcel[],
  parts: readonly Part[],
  members: readonly Member[],
  rate: Rate,
): readonly Part[] {
  const total = sizeOf(parcels);
  const owned = new Map(parts.map(({ to, parcels: own }) => [to.host, sizeOf(own)]));
  const lot = (_domain: number, host: string): number => ((owned.get(host) ?? 0) + 0.5) / (total + 1);
  const all = { domain: 0, indexes: parcels.flatMap(({ indexes }) => indexes) };
  return share([all], members, rate, lot).map(({ to }) => ({ to, parcels }));
}

/** Those that nothing speaks against; if there are none, those against whom least does. */
function preferred(members: readonly Member[], rate: Rate): readonly Member[] {
  const levels: [Member[], Member[], Member[]] = [[], [], []];
  for (const member of members) {
    const rating = rate(member.instance);
    levels[rating.avoided || member.unresponsive ? 2 : isOnTrial(rating) ? 1 : 0].push(member);
  }
  return levels.find((level) => level.length > 0) ?? [];
}

function share(parcels: readonly Parcel[], members: readonly Member[], rate: Rate, lot: Lot): readonly Part[] {
  const places = members.map((member): Place => {
    const load = member.addresses + rate(member.instance).assignedAddresses;
    return { member, load, parcels: [] };
  });
  const loads = places.reduce((sum, { load }) => sum + load, sizeOf(parcels));
  const fairShare = loads / members.reduce((sum, { slots }) => sum + slots, 0);
  // The large ones first: what is small finds its place all the same.
  for (const parcel of parcels.toSorted((a, b) => b.indexes.length - a.indexes.length)) {
    const place = placeFor(parcel, places, fairShare, lot);
    if (place === null) return [];
    place.load += parcel.indexes.length;
    place.parcels.push(parcel);
  }
  return places.flatMap(({ member, parcels: own }) => (own.length > 0 ? [{ to: member, parcels: own }] : []));
}

/** @param fairShare addresses for each slot */
function placeFor(parcel: Parcel, places: readonly Place[], fairShare: number, lot: Lot): Place | null {
  const relative = ({ member: { slots }, load }: Place): number => (load + parcel.indexes.length) / slots;
  const bound = Math.max(UNBURDENED, Math.min(1, BOUND * fairShare));
  const fits = places.filter((place) => relative(place) <= bound);
  // Weighted: of two hosts the one with twice the slots is drawn twice as often.
  if (fits.length > 0) return best(fits, ({ member }) => -member.slots / Math.log(lot(parcel.domain, member.host)));
  return best(places, (place) => -relative(place));
}

/** The first of those with the greatest value. */
function best(places: readonly Place[], valueOf: (place: Place) => number): Place | null {
  let [found, greatest]: [Place | null, number] = [null, -Infinity];
  for (const place of places) {
    const value = valueOf(place);
    if (found === null || value > greatest) [found, greatest] = [place, value];
  }
  return found;
}

function sizeOf(parcels: readonly Parcel[]): number {
  return parcels.reduce((sum, { indexes }) => sum + indexes.length, 0);
}
