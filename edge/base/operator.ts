import type { Operator } from '../../schema/pages-api.ts';
import type { Config } from './config.ts';

/** Who runs this deployment, as its pages say. */
export function operatorOf(config: Config): Operator {
  return {
    name: said(config.OPERATOR_NAME),
    privacyUrl: said(config.PRIVACY_URL),
    termsUrl: said(config.TERMS_URL),
    statusUrl: said(config.STATUS_URL),
    contactEmail: said(config.CONTACT_EMAIL),
  };
}

function said(variable: string): string | null {
  return variable === '' ? null : variable;
}
