import { EmbeddingUnavailable } from '@parley/corpus';
import { isAppError, type Log } from '@parley/runtime';
import { LoadError } from '../http/load-error.ts';

/** Why a training failed, as a sentence for the owner of the item. What is our own fault goes to the log. */
export function failureOf(error: unknown, log: Log): string {
  if (error instanceof LoadError || error instanceof EmbeddingUnavailable || isAppError(error)) return error.message;
  log.error({ err: error }, 'a training failed');
  return 'The training stopped because of an error on our side. Train the item again; if that fails too, the log of the trainer says why.';
}
