import type { SignalsOf } from '../engine/batch.ts';
import { isDisposable } from './disposable.ts';
import { isFreeProvider } from './free.ts';
import { isRole } from './role.ts';
import { typoOf } from '../../schema/typo/typo.ts';

/** What the address itself reveals, from lists alone. Address literals reveal nothing about their domain. */
export const signalsOf: SignalsOf = ({ local, domain }) => {
  const role = isRole(local);
  if (domain.startsWith('[')) return { disposable: false, free: false, role, typoOf: null };
  return { disposable: isDisposable(domain), free: isFreeProvider(domain), role, typoOf: typoOf(domain) };
};
