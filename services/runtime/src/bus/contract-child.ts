import { writeSync } from 'node:fs';
import type { Bus } from './bus.ts';

// Publishes or consumes until it is killed; says on standard output which messages are acknowledged or handled.
const [task, module, argument, topic, group] = process.argv.slice(2);
const { openBus }: { openBus(argument: string): Promise<Bus> } = await import(module!);
const bus = await openBus(argument!);

const say = (id: string) => writeSync(1, `${id}\n`);

async function publishFor(key: string) {
  for (let i = 0; ; i++) {
    await bus.publish(topic!, [{ key, id: `${key}:${i}`, value: Buffer.from(String(i)) }]);
    say(`${key}:${i}`);
  }
}

if (task === 'publish') await Promise.all(['a', 'b', 'c', 'd', 'e'].map(publishFor));
else bus.subscribe({ topic: topic!, group: group!, handle: async ({ id }) => void say(id) });
