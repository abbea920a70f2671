/**
 * Compares Parley with the parts that it is built from, on this machine; the ratios matter, not the times.
 *
 *     npm run bench                       all tables
 *     npm run bench -- NAME               one of them
 *     npm run bench -- answers --print    with options, where a table has any
 */
import { answers } from './answers/answers.ts';
import { api } from './api.ts';
import { bus } from './bus.ts';
import { channels } from './channels.ts';
import { events } from './events.ts';
import { gateway } from './gateway.ts';
import { reply } from './reply.ts';
import { rpcHop } from './rpc-hop.ts';
import { search } from './search/search.ts';
import { print, UsageError } from './table.ts';
import { training } from './training.ts';
import { website } from './website.ts';

const benches = [rpcHop, gateway, api, reply, channels, bus, events, training, website, search, answers];
const withOptions: readonly string[] = [answers.name, channels.name, events.name, search.name];

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('-'));
const wanted = firstOption < 0 ? args : args.slice(0, firstOption);
const options = firstOption < 0 ? [] : args.slice(firstOption);
const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}. There is: ${benches.map(({ name }) => name).join(', ')}.\n`);
  process.exit(1);
}
if (options.length > 0 && !withOptions.includes(wanted.join())) {
  process.stderr.write(`Only ${withOptions.join(', ')} have options.\n`);
  process.exit(1);
}
for (const { name, run } of benches) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const table = await run(options).catch((error) => {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  process.stdout.write(`${print(name, table)}\n`);
}
process.exit(0); // Idle connections would keep the process running for minutes.
