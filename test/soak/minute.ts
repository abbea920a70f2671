import type { MinuteOfRequests } from './recorder.ts';
import type { MachineSample } from './sampling/machine.ts';
import type { ProcessSample } from './sampling/processes.ts';
import type { Stored } from './sampling/stored.ts';

/** Observations of one minute of the load. */
export interface Minute extends MinuteOfRequests {
  /** Minutes since the load began, at the end of this one. */
  minute: number;
  /** Processes that were restarted, and the signal that ended them. */
  restarts: string[];
  processes: ProcessSample[];
  machine: MachineSample;
  /** By namespace. */
  collections: Record<string, Stored>;
  /** Files in the object store. */
  files: Stored;
}
