export type { Endpoints } from './endpoints.ts';
export type { Service, ServiceName } from './services.ts';
export { type Parley, type ParleyOptions, startParley } from './start-parley.ts';
