import { type AccountEraser, accountEraser, eraseFrom } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import { deliveryCollection } from './deliveries.ts';
import { eventCollection, feedCollection } from './events.ts';
import { webhookCollection, webhookUsage } from './webhooks.ts';

/** Erases accounts from the events. Webhooks go first: without its webhook, nothing is delivered. */
export const eventsEraser = (db: Db): AccountEraser =>
  accountEraser(db, [
    eraseFrom(webhookCollection(db)),
    eraseFrom(deliveryCollection(db)),
    eraseFrom(eventCollection(db)),
    eraseFrom(feedCollection(db)),
    webhookUsage(db, Infinity).erase,
  ]);
