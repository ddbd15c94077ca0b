// What a form on a web page learns of an address: POST /api/v1/form. Far less than a result, since everybody can ask.

export const FORM_VERDICTS = ['accept', 'reject', 'unsure'] as const;
type FormVerdict = (typeof FORM_VERDICTS)[number];

/** Why an address is rejected. */
export const FORM_REASONS = ['invalid_syntax', 'no_mail_domain', 'no_such_mailbox', 'disposable'] as const;
export type FormReason = (typeof FORM_REASONS)[number];

/** `reason`: null unless it is rejected. `did_you_mean`: the whole corrected address, if it looks mistyped. */
export type FormAnswer = {
  readonly verdict: FormVerdict;
  readonly reason: FormReason | null;
  readonly did_you_mean: string | null;
};

/** Seconds that a form may wait, and waits if it does not say. */
export const FORM_WAIT_S = { least: 1, most: 10, usual: 4 } as const;
