import type { ClientSession, MongoClient } from 'mongodb';
import { failedPrecondition, unavailable } from '../errors.ts';
import { unlessAborted } from '../process.ts';
import type { Manifest } from './manifest.ts';

/** Reads of the documents, all as they were at one point in time. */
export interface AtPoint {
  session?: ClientSession;
  consistency: Manifest['consistency'];
}

/** MongoDB keeps a snapshot for five minutes, unless it is configured otherwise. */
const SNAPSHOT_TOO_OLD = 239;

/**
 * Runs `read` on the documents at one point in time. On a replica set, that is a snapshot, and nothing waits. A standalone server
 * has no snapshots, so there writes wait until `read` has ended or the pause has.
 *
 * @throws AppError `failed_precondition` if the pause or the snapshot was too short.
 */
export async function atOnePoint<T>(
  client: MongoClient,
  options: { pauseMs: number; signal: AbortSignal },
  read: (at: AtPoint, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { setName, msg } = await client.db('admin').command({ hello: 1 });
  return setName !== undefined || msg === 'isdbgrid'
    ? await inSnapshot(client, options.signal, read)
    : await whilePaused(client, options, read);
}

async function inSnapshot<T>(
  client: MongoClient,
  signal: AbortSignal,
  read: (at: AtPoint, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const session = client.startSession({ snapshot: true });
  try {
    return await read({ session, consistency: 'snapshot' }, signal);
  } catch (error) {
    if ((error as { code?: unknown }).code !== SNAPSHOT_TOO_OLD) throw error;
    throw failedPrecondition(
      "MongoDB kept its snapshot for a shorter time than copying the documents took: raise the server's parameter minSnapshotHistoryWindowInSeconds (300 by default).",
      error,
    );
  } finally {
    await session.endSession();
  }
}

async function whilePaused<T>(
  client: MongoClient,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
  read: (at: AtPoint, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { lockCount } = await client.db('admin').command({ fsync: 1, lock: true });
  try {
    if (lockCount > 1) throw unavailable('Somebody else has locked the database: another backup may be running.');
    const over = AbortSignal.timeout(pauseMs);
    const ended = AbortSignal.any([signal, over]);
    return await unlessAborted(ended, read({ consistency: 'paused' }, ended)).catch((error) => {
      if (!over.aborted || signal.aborted) throw error;
      throw failedPrecondition(
        `Copying the documents took longer than ${pauseMs / 1000} s, for which writes may wait: raise BACKUP_PAUSE_SECONDS, or run MongoDB as a replica set, where nothing waits.`,
        error,
      );
    });
  } finally {
    await client.db('admin').command({ fsyncUnlock: 1 });
  }
}
