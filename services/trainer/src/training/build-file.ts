import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import {
  type BuildFile,
  type BuildWriter,
  buildFileKey,
  type Calibration,
  createBuildWriter,
  type NewChunk,
  type TrainingJob,
} from '@parley/corpus';
import { unavailableDoNotRetry } from '@parley/runtime';
import { LeaseLost } from '@parley/runtime/mongo';
import type { Dependencies } from '../dependencies.ts';

/** If a run dies, whatever it embedded since the last save is embedded again. */
const SAVED_EVERY_MS = 60_000;
const SQLITE_FULL = 13;

/** The file that a run writes. */
export interface RunFile {
  /** Adds chunks, after those that were added before. @throws LeaseLost */
  add(chunks: readonly NewChunk[]): Promise<void>;
  /** Uploads the file, complete with what it says about itself. @throws LeaseLost */
  finish(about: {
    model: string | null;
    calibration?: Calibration | undefined;
  }): Promise<{ file: BuildFile; chunks: number }>;
}

type FileDependencies = Pick<Dependencies, 'corpus' | 'files' | 'objects'>;

/**
 * Writes a build to local disk and uploads it: at the end, and now and then before, so that a run that goes on from here has
 * the vectors. Nothing names the object before the build is published.
 */
export async function withRunFile<T>(
  dependencies: FileDependencies,
  job: TrainingJob,
  use: (file: RunFile) => Promise<T>,
): Promise<T> {
  const { save, close, ...file } = createRunFile(dependencies, job);
  try {
    return await use(file);
  } catch (error) {
    if (!(error instanceof LeaseLost)) await save().catch(() => {}); // The run has failed already.
    throw error;
  } finally {
    await close();
  }
}

function createRunFile({ corpus, files, objects }: FileDependencies, job: TrainingJob) {
  const { account, build } = job;
  let path: string | undefined;
  let writer: BuildWriter | undefined;
  let finished: BuildFile | undefined;
  let isSaved = true;
  let savedAt = performance.now();
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: a file that is being uploaded must not change. */
  function inTurn<T>(act: (writer: BuildWriter) => Promise<T>): Promise<T> {
    const done = last.then(async () => {
      path ??= await files.temporary();
      writer ??= createBuildWriter(path);
      return act(writer);
    });
    last = done;
    return done.catch((error) => {
      if (error.errcode !== SQLITE_FULL) throw error;
      throw unavailableDoNotRetry('The disk of the trainer is full (INDEX_DIR).', error);
    });
  }

  async function upload(): Promise<BuildFile> {
    const { size: bytes, sha256 } = await objects.put(buildFileKey(account, build), createReadStream(path!));
    savedAt = performance.now();
    await corpus.builds.setFile(job, { sha256, bytes });
    return { sha256, bytes };
  }

  async function uploadPart(writer: BuildWriter) {
    writer.flush();
    await upload();
    isSaved = true;
  }

  return {
    add: (chunks: readonly NewChunk[]) =>
      inTurn(async (writer) => {
        writer.add(chunks);
        isSaved = false;
        if (writer.dimension === 0 || performance.now() - savedAt < SAVED_EVERY_MS) return;
        await uploadPart(writer);
      }),
    /** Uploads what there is, if that has vectors which no upload had. */
    async save() {
      if (!isSaved && writer?.dimension) await inTurn(uploadPart);
    },
    finish: (about: { model: string | null; calibration?: Calibration | undefined }) =>
      inTurn(async (writer) => {
        writer.finish(about);
        isSaved = true;
        finished = await upload();
        return { file: finished, chunks: writer.passages };
      }),
    async close() {
      await last.catch(() => {});
      writer?.db.close();
      if (path && finished) await files.adopt({ account, build, ...finished }, path);
      else if (path) await rm(path, { force: true });
    },
  };
}
