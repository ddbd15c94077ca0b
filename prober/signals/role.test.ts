import { describe, expect, it } from 'vitest';
import { isRole } from './role.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

describe('isRole', () => {
  it.each([
    '"in\\fo"',
    ...words(`
info support contact sales admin abuse postmaster hostmaster webmaster noc security hr it office hello jobs billing
marketing kontakt buchhaltung datenschutz accueil ventas segreteria klantenservice biuro info2 sales01
info+newsletter info+x@y "info" customer.service customer-service customer_service customerservice sales.team
help-desk sales.marketing support-de info.fr no-reply noreply no.reply do-not-reply donotreply no-reply-orders
orders-noreply mailer-daemon bounce+tag=example.com users-request owner-users users-bounces
    `),
  ])('is true for %s', (local) => {
    expect(isRole(local)).toBe(true);
  });

  it.each([
    '',
    '\u00ednfo',
    'x'.repeat(64),
    ...words(`
john.smith jsmith j.smith anna paris sydney alexa alla per reg france india berlin gardner md ap se jo.it it-jo
hr.mm frank.sales sales.frank info.smith mark-it infosmith supporter adminton press.lee captain smile rockstars
master noreen norepl owner.smith request.smith asdf abc 123 2024 none +info . "" 用户 инфо
    `),
  ])('is false for %j', (local) => {
    expect(isRole(local)).toBe(false);
  });
});
