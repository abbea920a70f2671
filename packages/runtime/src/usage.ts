import { runInPod } from './mongo/program-in-pod.ts';
import { runUsageProgram } from './mongo/usage-program.ts';

/** The operators' program, run in the pod of a service that counts tokens. */
await runInPod('node packages/runtime/src/usage.ts', runUsageProgram);
