import { BACKUP } from './backup.ts';
import { MODELS } from './models.ts';
import { PROCESSES } from './processes.ts';
import { QUOTAS } from './quotas.ts';
import { REQUESTS } from './requests.ts';
import type { Setting } from './setting.ts';
import { DOCUMENTS, TRAINING, WEB } from './sources.ts';
import { THREADS } from './threads.ts';
import { VISITORS } from './visitors.ts';
import { WEBHOOKS } from './webhooks.ts';
import { WHERE } from './where.ts';

/** Every setting, by section of docs/settings.md. */
export const SECTIONS = {
  'Where it runs': WHERE,
  Models: MODELS,
  'Websites and videos': WEB,
  Documents: DOCUMENTS,
  'Training and search': TRAINING,
  'Requests and replies': REQUESTS,
  Quotas: QUOTAS,
  Visitors: VISITORS,
  'Tickets and mail': THREADS,
  Webhooks: WEBHOOKS,
  Processes: PROCESSES,
  Backup: BACKUP,
} as const satisfies Record<string, Record<string, Setting>>;

/**
 * Every setting that a program of Parley reads. From it come the types of what is read, docs/settings.md and what the chart
 * accepts (`npm run docs`), and the check for misspelt names.
 */
export const SETTINGS = {
  ...WHERE,
  ...MODELS,
  ...WEB,
  ...DOCUMENTS,
  ...TRAINING,
  ...REQUESTS,
  ...QUOTAS,
  ...VISITORS,
  ...THREADS,
  ...WEBHOOKS,
  ...PROCESSES,
  ...BACKUP,
};
