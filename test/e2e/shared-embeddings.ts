import { share } from './share.ts';

/** `none` where the model can't be had. */
export const embeddings = process.env.EMBEDDINGS === 'none' ? 'none' : 'local';

/** A system that searches by meaning, too. */
export const shared = await share({ embeddings });
