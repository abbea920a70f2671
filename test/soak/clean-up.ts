import { join } from 'node:path';
import { ofSessions, until } from '@parley/runtime/testing';
import type { MongoClient } from 'mongodb';
import type { Stack } from '../../deploy/stack/start-stack.ts';
import { leftovers } from './leftovers.ts';
import type { Tenants } from './load/tenants.ts';
import { orphans } from './orphans.ts';
import type { Recorder } from './recorder.ts';
import { filesIn } from './sampling/stored.ts';
import type { Verdict } from './verdicts.ts';

export interface CleanUpOptions {
  mongo: MongoClient;
  dataDir: string;
  tenants: Tenants;
  stack: Stack;
  recorder: Recorder;
  /** Process ids of all services that ran. */
  leaders: ReadonlySet<number>;
  say(line: string): void;
}

/** Purges, sweepers and expiries that don't wait for hours are done by then. */
const DONE_WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 2_000;

/** Ends the load, deletes what it made, and looks at what is left of it. */
export async function cleanUp(options: CleanUpOptions): Promise<Verdict[]> {
  const { mongo, dataDir, tenants, stack, recorder, leaders, say } = options;
  const objects = join(dataDir, 'objects');
  say('Ending the load, and comparing what was acknowledged with what is stored …');
  await tenants.rest();
  say('Waiting for the purge of what was deleted …');
  const strays = await settled(
    () => orphans(mongo, objects),
    (found) => found.length === 0,
  );
  say('Deleting the last accounts …');
  await tenants.remove().catch((error) => recorder.failed(`Deleting the last accounts: ${error.message}`));
  const { left, stays } = await settled(
    () => leftovers(mongo, objects),
    (found) => Object.keys(found.left).length === 0,
  );
  await stack.stop();
  const remaining = await settled(
    async () => [...ofSessions(leaders).map((pid) => `process ${pid}`), ...(await filesIn(join(dataDir, 'tmp')))],
    (found) => found.length === 0,
  );
  return [
    verdict('nothing belongs to what was deleted', strays),
    verdict(
      `nothing left of ${tenants.count} accounts`,
      counted(left),
      `What stays for a time: ${counted(stays).join('; ')}.`,
    ),
    verdict('no processes and temporary files left', remaining),
  ];
}

/** Waits until all is well, but not for ever; returns what was found last. */
async function settled<T>(look: () => Promise<T>, isWell: (found: T) => boolean): Promise<T> {
  let found: T | undefined;
  const remember = async () => {
    found = await look();
    return found;
  };
  return until(remember, isWell, DONE_WITHIN_MS, LOOK_EVERY_MS).catch((error) => {
    if (found === undefined) throw error;
    return found;
  });
}

const counted = (counts: Record<string, number>) => Object.entries(counts).map(([name, count]) => `${name}: ${count}`);

const verdict = (criterion: string, found: readonly string[], more = ''): Verdict => ({
  criterion,
  met: found.length === 0,
  says: [found.length > 0 ? `Found ${found.join('; ')}.` : 'None.', more].filter(Boolean).join(' '),
});
