import { ConfigError, type Env } from '../env.ts';
import { parseDenyList } from './deny-list.ts';
import { type AllowList, parseAllowList } from './guard.ts';

/**
 * Reads CRAWL_ALLOW and OUTBOUND_DENY, both empty by default.
 *
 * @param instead a setting that replaces CRAWL_ALLOW where it is set
 */
export function readAllowList(env: Env, instead?: 'OUTBOUND_ALLOW'): AllowList {
  const [own, crawl] = [instead && env.get(instead), env.get('CRAWL_ALLOW')];
  try {
    const deny = parseDenyList(env.get('OUTBOUND_DENY') ?? '');
    return parseAllowList(own ?? crawl ?? '', deny, own === undefined ? 'CRAWL_ALLOW' : instead);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}
