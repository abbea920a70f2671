import { type AccountEraser, accountEraser, eraseFrom } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import { eventCollection, feedCollection } from './events.ts';

export const eventsEraser = (db: Db): AccountEraser =>
  accountEraser(db, [eraseFrom(eventCollection(db)), eraseFrom(feedCollection(db))]);
