import { expect, test } from 'vitest';
import { RcptError } from '../base/errors.ts';
import { clientOf, failureResponse, ScriptedService } from '../testing/scripted-service.ts';

test('credits are read, and again after a failure that may pass', async () => {
  const service = new ScriptedService();
  expect(await clientOf(service).credits()).toBe(1_000);
  const answers = [failureResponse(500, null), failureResponse(429, 'RATE_LIMITED'), Response.json({ credits: 7 })];
  const fetch = async (): Promise<Response> => answers.shift() ?? failureResponse(500, null);
  expect(await clientOf(service, { fetch }).credits()).toBe(7);
  await expect(clientOf(service, { fetch, maxRetries: 2 }).credits()).rejects.toThrow(RcptError);
  const asked: string[] = [];
  const refuse = async (input: Parameters<typeof globalThis.fetch>[0]): Promise<Response> => {
    asked.push(new Request(input).url);
    return failureResponse(500, null);
  };
  await expect(clientOf(service, { fetch: refuse, maxRetries: 2 }).credits()).rejects.toThrow('It is 500.');
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'https://verify.example.test/api/v1/credits'));
});
