import type { TestProject } from 'vitest/node';
import { newStateFolder, startRunningService } from '../../testing/running-service.ts';

// Before the suite: the service that RCPT_URL and RCPT_KEY name, or else one of its own.

/** A free provider's domain, recognised by its name: a probe of it meets a server that is not there. */
const NOBODY_ASKED = ['--stub', 'gmail.com=127.0.0.1:1'];

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { RCPT_URL: url, RCPT_KEY: key, RCPT_OPERATOR_KEY: operatorKey = null } = process.env;
  if (url !== undefined && key !== undefined) {
    project.provide('given', { url: new URL(url).origin, key, operatorKey, isSandbox: false });
    return undefined;
  }
  if (url !== undefined || key !== undefined) throw new Error('RCPT_URL and RCPT_KEY go together');
  const service = await startRunningService(await newStateFolder(), NOBODY_ASKED);
  const { ready } = service;
  project.provide('given', { url: ready.url, key: ready.apiKey, operatorKey: ready.operatorKey, isSandbox: true });
  return async () => void (await service.stop());
}
