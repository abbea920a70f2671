import { runUsageProgram } from '@parley/runtime/mongo';
import { look } from './look.ts';

await look('npm run usage --', runUsageProgram);
