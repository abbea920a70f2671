import { startReaderProcess } from '@parley/runtime/sandbox';
import { MODULE as jobs } from '../readers.ts';
import { MANY_ATTRIBUTES, pageOf } from './hostile.ts';

/** A process that prints the id of its busy reader, and waits to be killed. */
const reader = startReaderProcess({ jobs, memoryMb: 256 });
const never = new AbortController().signal;
await reader.run({ name: 'page', input: pageOf('<p>ready') }, 60_000, never);
void reader.run({ name: 'page', input: pageOf(MANY_ATTRIBUTES) }, 600_000, never);
process.stdout.write(`${reader.pid}\n`);
