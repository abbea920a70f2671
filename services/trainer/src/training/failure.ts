import { EmbeddingUnavailable } from '@parley/corpus';
import { isAppError, type Log } from '@parley/runtime';
import { LoadError } from '../http/load-error.ts';

/** Why a training failed, as a sentence for the owner of the item. Unexpected errors go to the log. */
export function failureOf(error: unknown, log: Log): string {
  if (error instanceof LoadError || error instanceof EmbeddingUnavailable || isAppError(error)) return error.message;
  log.error({ err: error }, 'training failed unexpectedly');
  return 'The training stopped because of an internal error. Train the item again; if that fails too, see the log of the trainer.';
}
