import { Trouble } from '../../session/api.ts';
import { type ApiDocument, readDocument } from './openapi.ts';

let asked: Promise<ApiDocument> | null = null;

/** The deployment's own description of its API, read once. @throws Trouble */
export function apiDocument(): Promise<ApiDocument> {
  asked ??= read().catch((error: unknown) => {
    // Read again when it is wanted again.
    asked = null;
    throw error;
  });
  return asked;
}

async function read(): Promise<ApiDocument> {
  const response = await fetch('/api/v1/openapi.json').catch(() => null);
  if (response?.ok !== true) throw new Trouble('The description of the API cannot be read right now.');
  return readDocument(await response.json());
}
