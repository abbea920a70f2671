/** Runs the events service in a separate process, like its `main.ts`. */
import { createEvents, readConfig } from '@parley/events';
import { readEnv } from '@parley/runtime';
import { tellReady } from './program.ts';

const events = createEvents(readConfig(readEnv(process.env)));
await events.start();
tellReady({ port: events.port(), pid: process.pid }, () => events.stop());
