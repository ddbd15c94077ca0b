import { expect } from 'vitest';
import * as z from 'zod';
import { invalidEntrySchema, verificationResultSchema } from '../../../schema/api.ts';
import type { VerificationResult } from '../../../schema/words/result.ts';
import type { HttpResponse } from './service.ts';

/** What an answer must look like, to the letter: no member more than the interface names. */
const elementsSchema = z.array(z.union([verificationResultSchema.strict(), invalidEntrySchema.strict()]));

/** The elements of a 200. */
export function elements(answer: HttpResponse): z.infer<typeof elementsSchema> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  return elementsSchema.parse(JSON.parse(answer.text));
}

/** The results of a 200 to a request that had nothing but strings. */
export function results(answer: HttpResponse): readonly VerificationResult[] {
  return z.array(verificationResultSchema.strict()).parse(elements(answer));
}

/** That an answer is this error of the interface; `code` null: there must be none. */
export function expectError(answer: HttpResponse, status: number, code: string | null): void {
  const body: unknown = JSON.parse(answer.text);
  expect([answer.status, body]).toEqual([
    status,
    { error: expect.stringMatching(/./), ...(code === null ? {} : { code }) },
  ]);
  expect(answer.headers.get('content-type')).toBe('application/json');
}
