import { failedPrecondition } from '@parley/runtime';
import { requiredText } from '@parley/runtime/text';

/** Code points in a message of a user or an owner. */
export const MAX_MESSAGE = 10_000;
/** Code points in an answer. */
export const MAX_ANSWER = 100_000;
/** Questions in a chat. */
const MAX_QUESTIONS = 500;
/** Bytes in a conversation: all of it must fit into one gRPC response (4 MiB). */
export const MAX_BYTES = 3 * 1024 * 1024;
/** Counted for each message besides its text: many short ones must fit into a response as well. */
export const MESSAGE_BYTES = 128;
/** Code points in a person's name. */
export const MAX_NAME = 200;
/** Earlier messages that are given to the AI with a question. */
export const MAX_HISTORY = 20;

/** Returns a message as sent. @throws AppError `invalid_argument` if it is blank or has more than `max` code points. */
export const checkMessage = (text: string, max: number): string => requiredText('message', text, max);

/** @throws AppError `failed_precondition` if the conversation is full. */
export function checkRoom({ kind, questions, bytes }: { kind: string; questions: number; bytes: number }): void {
  if (kind === 'chat' && (questions >= MAX_QUESTIONS || bytes >= MAX_BYTES))
    throw failedPrecondition('This conversation has reached its full length. Begin a new session.');
  if (bytes >= MAX_BYTES) throw failedPrecondition('This conversation has reached its full length.');
}
