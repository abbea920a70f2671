import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Server, startServer } from '../../deploy/stack/server.ts';
import type { Stack } from '../../deploy/stack/start-stack.ts';
import type { TrainingStep } from '../../services/trainer/src/training-steps.fixture.ts';

const PROGRAM = fileURLToPath(new URL('../../services/trainer/src/dying-trainer.fixture.ts', import.meta.url));

/** One more trainer of a stack. Resolves when it has come to a step of some training, where it stays. */
export async function startDoomedTrainer(step: TrainingStep, { variables, logDir }: Stack): Promise<Server> {
  const logFile = join(logDir, `trainer that dies when ${step}.log`);
  return startServer({
    name: 'The trainer that is to die',
    command: process.execPath,
    args: ['--import', 'tsx', PROGRAM, step],
    // One training at a time, so that one is all that it takes with it.
    env: { ...variables, TRAINER_CONCURRENCY: '1' },
    logFile,
    answers: async () => (await readFile(logFile, 'utf8')).includes('reached'),
  });
}
