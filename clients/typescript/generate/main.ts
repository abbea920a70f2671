import { writeFileSync } from 'node:fs';
import { clientTypes, GENERATED } from './client-types.ts';

writeFileSync(GENERATED, await clientTypes());
