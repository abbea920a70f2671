export type { Endpoints } from './endpoints.ts';
export type { ServiceName } from './services.ts';
export { type Parley, type ParleyOptions, startParley } from './start-parley.ts';
