import { writeSync } from 'node:fs';
import type { Bus } from '../bus.ts';

// Publishes or consumes. Prints which messages are acknowledged or handled, and sends itself a signal, SIGKILL or
// SIGSTOP, right after the line of that number.
const [module, argument, signal, lineOfSignal, task, topic, group] = process.argv.slice(2);
const { openBus }: { openBus(argument: string): Promise<Bus> } = await import(module!);
const bus = await openBus(argument!);
let lines = 0;

function say(id: string) {
  writeSync(1, `${id}\n`);
  lines += 1;
  if (lines === Number(lineOfSignal)) process.kill(process.pid, signal);
}

async function publishFor(key: string) {
  for (let i = 0; ; i++) {
    await bus.publish(topic!, [{ key, id: `${key}:${i}`, value: Buffer.from(String(i)) }]);
    say(`${key}:${i}`);
  }
}

if (task === 'publish') await Promise.all(['a', 'b', 'c', 'd', 'e'].map(publishFor));
else bus.subscribe({ topic: topic!, group: group!, handle: async ({ id }) => say(id) });
