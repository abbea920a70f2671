import { feed } from './events-feed.ts';
import { webhooks } from './events-webhooks.ts';
import { type Bench, type Table, UsageError } from './table.ts';

const MINUTES = 1;

/** Events on their way to those who hear of them. */
export const events: Bench = { name: 'events', run };

async function run(options: readonly string[]): Promise<Table> {
  const minutes = minutesOf(options);
  const fed = await feed(minutes);
  return {
    about:
      'Facts of 200 chats on the bus in MongoDB, 10,000 a minute; the events service in a process of its own, and a reader for each account. `--minutes=10` takes longer.',
    head: fed.section.head,
    rows: fed.section.rows,
    further: await webhooks(minutes),
    bound: { says: fed.says, met: fed.met },
  };
}

function minutesOf(options: readonly string[]): number {
  const [option] = options;
  if (option === undefined) return MINUTES;
  const [, minutes] = /^--minutes=(\d+)$/.exec(option) ?? [];
  if (minutes === undefined) throw new UsageError('Usage: npm run bench -- events [--minutes=N]');
  return Number(minutes);
}
