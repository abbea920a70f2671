import { isDatabaseUnavailable } from './mongo/errors.ts';
import { codeOf, type StatusName } from './rpc/status.ts';

const TRANSIENT: ReadonlySet<StatusName> = new Set<StatusName>(['unavailable', 'deadline_exceeded']);

/** A dependency (another service, the database, the bus, the file store) is unavailable; the work may succeed later. */
export const isTransient = (error: unknown): boolean => TRANSIENT.has(codeOf(error)) || isDatabaseUnavailable(error);
