import type { Failure } from '../visit/api.ts';
import type { Words } from '../words/en.ts';

/** Why a request failed, in the visitor's language. */
export function explained({ status }: Failure, words: Words): string {
  if (status === 0) return words.broken;
  if (status === 429) return words.hurried;
  // The composer refuses what is too long or blank: only the conversation's length is left.
  if (status === 400) return words.long;
  return status === 409 || status >= 500 ? words.busy : words.failed;
}
