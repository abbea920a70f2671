import { EmbeddingMisconfigured, EmbeddingUnavailable } from '@parley/corpus';
import { isAppError, type Log } from '@parley/runtime';
import { LoadError } from '../crawl/http/load-error.ts';

/** Returns whether the same training may succeed later: what it needs besides its content is unavailable. */
export const mayPass = (error: unknown): error is Error =>
  error instanceof EmbeddingUnavailable || isAppError(error, 'unavailable');

/** Why a training failed, as a sentence for the owner of the item. What operators have to mend goes to the log. */
export function failureOf(error: unknown, log: Log): string {
  if (error instanceof LoadError || error instanceof EmbeddingUnavailable || isAppError(error)) return error.message;
  if (error instanceof EmbeddingMisconfigured) {
    log.error({ reason: error.message }, 'training failed: a setting of the embedding model is wrong');
    return error.message;
  }
  log.error({ err: error }, 'training failed unexpectedly');
  return 'The training stopped because of an internal error. Train the item again; if that fails too, see the log of the trainer.';
}
