import type { NoGift } from '../../../schema/pages-api.ts';

const WHY: Readonly<Record<NoGift, string>> = {
  throwaway:
    'addresses that throw mail away or forward it get none. Sign in with your own or your company’s to get them',
  had: 'this mailbox, perhaps under another spelling, has had them before',
  domain_full: 'other people at your domain have had as many as one domain gets',
  day_full: 'all of that day had been given. An account that is opened on another day gets them',
};

/** Why a new account has no free credits, in a sentence. */
export function whyNoGift(why: NoGift): string {
  return `No free credits: ${WHY[why]}.`;
}
