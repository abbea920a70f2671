import { runTrainingsProgram } from '@parley/corpus';
import { look } from './look.ts';

await look('npm run trainings', runTrainingsProgram);
