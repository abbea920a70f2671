import { failedPrecondition, invalidArgument } from '@parley/runtime';

/** Code points of one message of a user. */
export const MAX_QUESTION = 10_000;
/** Of one conversation. */
export const MAX_TURNS = 500;
/** Bytes of one conversation, so that reading it whole stays one answer of a service (4 MiB). */
export const MAX_BYTES = 3 * 1024 * 1024;
/** Messages before a turn that its answer may look back on. */
export const MAX_HISTORY = 20;

/** @throws AppError `invalid_argument` for a blank or overlong question. */
export function checkQuestion(question: string): void {
  if (question.trim() === '') throw invalidArgument('message must not be blank.');
  if ([...question].length > MAX_QUESTION) throw invalidArgument(`message has at most ${MAX_QUESTION} characters.`);
}

/** @throws AppError `failed_precondition` where a conversation takes no further question. */
export function checkRoom(last: { n: number }, bytes: number): void {
  if (last.n < MAX_TURNS && bytes < MAX_BYTES) return;
  throw failedPrecondition('This conversation has reached its full length. Begin a new session.');
}
