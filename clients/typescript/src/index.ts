export { ParleyError } from './error.ts';
export type * from './generated/api.ts';
export { createParley, type Parley, type ParleyOptions } from './parley.ts';
export type { ReplySoFar } from './stream-reply.ts';
export type { CallOptions } from './types.ts';
