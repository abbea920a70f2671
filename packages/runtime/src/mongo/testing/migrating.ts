import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../../log.ts';
import { createProcess, run } from '../../process.ts';
import { openMongo } from '../connect.ts';
import type { Migration } from '../migrations.ts';

/**
 * A process that starts on a database: `uri`, `database`, and optionally `endless` for a migration that never ends.
 * Prints `first started`, `migrating` and `first stopped`.
 */
const [uri, database, endless] = process.argv.slice(2) as [string, string, string | undefined];
const write = (line: string) => void process.stdout.write(`${line}\n`);

const migrations: Migration[] = [{ number: 1, name: 'quick', beside: '0.1.0', run: async () => {} }];
if (endless) {
  migrations.push({
    number: 2,
    name: 'endless',
    beside: '0.1.0',
    async run() {
      write('migrating');
      await sleep(3_600_000);
    },
  });
}

await run(() => {
  const log = createLog('test');
  return createProcess('test', log, [
    { name: 'first', start: async () => write('first started'), stop: async () => write('first stopped') },
    openMongo({ uri, database }, migrations, log),
    { name: 'last', start: async () => write('last started'), stop: async () => write('last stopped') },
  ]);
});
