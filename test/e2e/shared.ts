import { share } from './share.ts';

/**
 * One trainer, so that tests can keep it busy. One private address may be crawled; all others are refused. Tickets stay as
 * tests leave them.
 */
const variables = { TRAINER_CONCURRENCY: '1', CRAWL_ALLOW: '127.0.0.1/32', AI_QUIET_SECONDS: '3600' };

/** A system that searches by words only. */
export const shared = await share({ embeddings: 'none', variables });
