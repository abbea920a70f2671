/**
 * Measures Parley beside what it is built from, on this machine, now: the ratios are what counts.
 *
 *     npm run bench             all tables
 *     npm run bench -- NAME     one of them
 */
import { bus } from './bus.ts';
import { gateway } from './gateway.ts';
import { reply } from './reply.ts';
import { rpcHop } from './rpc-hop.ts';
import { print } from './table.ts';
import { training } from './training.ts';

const benches = [rpcHop, gateway, reply, bus, training];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}. There is: ${benches.map(({ name }) => name).join(', ')}.\n`);
  process.exit(1);
}
for (const { name, run } of benches) {
  if (wanted.length === 0 || wanted.includes(name)) process.stdout.write(`${print(name, await run())}\n`);
}
process.exit(0); // Connections that nobody needs any more would stay open for minutes.
