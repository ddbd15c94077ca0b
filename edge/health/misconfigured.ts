import type { Health } from '../../schema/api.ts';
import type { ConfigError } from '../base/config.ts';
import { log } from '../base/log.ts';

// A Worker whose variables are missing or wrong serves no one, and says so on every request.

export function noteMisconfigured({ message }: ConfigError): void {
  log('error', 'service_down', { cause: 'misconfigured', why: message });
}

/** Nothing else was checked. */
export function healthOfMisconfigured(error: ConfigError): Health {
  return { d1: false, cronAgeS: null, hosts: 0, ready: 0, problems: [error.message] };
}
