import {
  type AccountEraser,
  accountEraser,
  deletedParentCollection,
  eraseFrom,
  tokensCollection,
} from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import { disown } from './aliases.ts';
import type { AssistantDoc } from './model.ts';
import { MODEL_TOKENS } from './model-tokens.ts';

/**
 * Erases accounts from the assistants. Reservations of aliases stay for their 30 days, but say nothing about the account:
 * otherwise another one could inherit its mail.
 */
export const assistantsEraser = (db: Db): AccountEraser =>
  accountEraser(db, [
    eraseFrom(db.collection<AssistantDoc>('assistants')),
    disown(db),
    eraseFrom(tokensCollection(db, MODEL_TOKENS)),
    eraseFrom(deletedParentCollection(db)),
  ]);
