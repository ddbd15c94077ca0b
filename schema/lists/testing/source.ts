import type { Source } from '../reading/source.ts';

/**
 * These bytes as a file.
 * @param most bytes that come at once
 */
export function sourceOf(content: string | Uint8Array, name = 'list', most = Infinity): Source {
  const bytes = Uint8Array.from(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return {
    name,
    size: bytes.length,
    // The first bytes are always whole, as they are from a file.
    read: async (from, to) => bytes.slice(from, from === 0 ? to : Math.min(to, from + most)),
  };
}
