import { LIVE, type Quota, quotaStore } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import type { ApiKeyDoc } from './model.ts';

export type Usage = Quota<'keys'>;

/** The API keys that accounts have. Revoked ones do not count, those that have expired do. */
export function usageStore(db: Db, maxKeys: number): Usage {
  const keys = db.collection<ApiKeyDoc>('api_keys');
  const limits = { keys: { what: 'API keys', setting: 'QUOTA_API_KEYS', most: maxKeys } };
  return quotaStore(db, limits, async (account) => ({ keys: await keys.countDocuments({ account, ...LIVE }) }));
}
