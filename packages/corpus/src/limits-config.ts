import type { Env } from '@parley/runtime';
import type { KnowledgeLimits } from './store/usage.ts';

const MIB = 1024 * 1024;

/** The most knowledge that an account may have: QUOTA_ITEMS and those that follow it, TRAINING_MAX_ACCOUNT_CHUNKS. */
export const readKnowledgeLimits = (env: Env): KnowledgeLimits => ({
  items: env.get('QUOTA_ITEMS'),
  faq_items: env.get('QUOTA_FAQ_ITEMS'),
  files: env.get('QUOTA_FILES'),
  bytes: env.get('QUOTA_FILES_MIB') * MIB,
  chunks: env.get('TRAINING_MAX_ACCOUNT_CHUNKS'),
  index_bytes: env.get('QUOTA_INDEX_MIB') * MIB,
});
