import { load } from './groups.mjs';

await load('end-to-end');
