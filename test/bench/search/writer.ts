import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildFileKey, createBuildWriter, type NewChunk, type RemoteBuild } from '@parley/corpus';
import { createDirectoryStore } from '@parley/runtime/objects';
import { tellReady } from '../program.ts';
import { chunksOf, type Size } from './corpus.ts';

/** The builds that one process wrote and uploaded. */
export interface Written {
  builds: RemoteBuild[];
  passages: number;
  /** CPU of writing alone, in milliseconds. */
  cpu: number;
}

/** The process's task: every which item it writes, from which one on. */
export interface WritingJob {
  size: Size;
  from: number;
  step: number;
  objectsDir: string;
}

const MODEL = 'bench';
/** As many as a training adds at once. */
const BATCH = 32;

async function write({ size, from, step, objectsDir }: WritingJob): Promise<Written> {
  const objects = createDirectoryStore({ dir: objectsDir });
  await objects.start?.(new AbortController().signal);
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-bench-write-'));
  const written: Written = { builds: [], passages: 0, cpu: 0 };
  const timed = <T>(act: () => T): T => {
    const before = process.threadCpuUsage();
    const result = act();
    const { user, system } = process.threadCpuUsage(before);
    written.cpu += (user + system) / 1000;
    return result;
  };
  for (let item = from; item < size.items; item += step) {
    const file = path.join(dir, 'build.sqlite');
    const writer = createBuildWriter(file);
    let batch: NewChunk[] = [];
    for (const chunk of chunksOf(item, size)) {
      batch.push(chunk);
      if (batch.length < BATCH) continue;
      timed(() => writer.add(batch));
      batch = [];
    }
    timed(() => writer.add(batch));
    timed(() => writer.finish({ model: MODEL }));
    written.passages += writer.passages;
    writer.db.close();
    const [account, build] = ['bench', `item${item}:1`];
    const { sha256, size: bytes } = await objects.put(buildFileKey(account, build), createReadStream(file));
    written.builds.push({ account, build, sha256, bytes });
    await rm(file);
  }
  await rm(dir, { recursive: true });
  return written;
}

tellReady(await write(JSON.parse(process.argv[2]!) as WritingJob));
