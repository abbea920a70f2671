import { runInPod } from '@parley/runtime/mongo';
import { runTrainingsProgram } from './trainings-program.ts';

/** The operators' program, run in the pod of knowledge or of a trainer. */
await runInPod('node packages/corpus/src/trainings.ts', runTrainingsProgram);
