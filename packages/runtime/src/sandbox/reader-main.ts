import { Worker } from 'node:worker_threads';
import type { JobMessage, Jobs, ReaderMessage, ReaderSettings } from './jobs.ts';
import { forbidConnections } from './no-network.ts';

/**
 * A reader process: runs one job after another. A busy one handles no events, so a thread watches standard input, which
 * closes when the parent ends, even by SIGKILL, and the memory of the process.
 */
process.once('message', ({ jobs, residentMb }: ReaderSettings) => {
  new Worker(new URL('./watch-process.mjs', import.meta.url), { execArgv: [], workerData: { residentMb } });
  process.on('message', (job: JobMessage) => run(jobs, job));
});

// Ctrl-C reaches the whole process group; the parent decides when a reader ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

forbidConnections();

const send = (message: ReaderMessage) => process.send!(message);

async function run(jobs: string, { name, input }: JobMessage) {
  try {
    const { JOBS }: { JOBS: Jobs } = await import(jobs);
    const work = await JOBS[name]!();
    send('begun');
    send({ output: await work(input as never) });
  } catch (error) {
    send({ failed: String(error).slice(0, 500) });
  }
}
