import { load } from './groups.mjs';

await load('sandbox');
