import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Server, startServer } from '../../deploy/stack/server.ts';
import type { Stack } from '../../deploy/stack/start-stack.ts';
import type { TrainingStep } from '../../services/trainer/src/testing/training-steps.ts';

const PROGRAM = fileURLToPath(new URL('../../services/trainer/src/testing/dying-trainer.ts', import.meta.url));

/** Starts another trainer of a stack. Resolves when it has reached a step of some training, where it hangs. */
export async function startDoomedTrainer(step: TrainingStep, { variables, logDir }: Stack): Promise<Server> {
  const logFile = join(logDir, `trainer that dies when ${step}.log`);
  return startServer({
    name: 'The doomed trainer',
    command: process.execPath,
    args: [PROGRAM, step],
    // One training at a time, so that its death interrupts only one.
    env: { ...variables, TRAINER_CONCURRENCY: '1' },
    logFile,
    answers: async () => (await readFile(logFile, 'utf8')).includes('reached'),
  });
}
