import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ObjectStore } from '../objects.ts';

// Writes objects, four at a time, until it is killed. Prints which are acknowledged.
const [module, argument, folder] = process.argv.slice(2);
const { openStore }: { openStore(argument: string): Promise<ObjectStore> } = await import(module!);
const store = await openStore(argument!);

async function writer(name: string) {
  for (let i = 0; ; i++) {
    const key = `${folder}${name}/${i}.bin`;
    const { sha256 } = await store.put(key, Readable.from(Array.from({ length: 20 }, () => randomBytes(10_000))));
    process.stdout.write(`${key} ${sha256}\n`);
  }
}

await Promise.all(['a', 'b', 'c', 'd'].map(writer));
