import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { TOPICS } from '@parley/proto/events/v1/topics';
import { createLog } from '../log.ts';
import { within } from '../process.ts';
import { codeOf, publicError } from '../rpc/status.ts';
import type { BusConfig } from '../service-config.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { type Bus, DEAD_GROUP, DEAD_REASON, type Received } from './bus.ts';
import { countDeadLetters, listDeadLetters, redriveDeadLetters } from './dead-letters.ts';
import { openBus } from './open-bus.ts';

export interface DeadLettersProgram {
  /** The arguments after the program's name. */
  args: string[];
  /** The command line that starts it, for the usage text. */
  command: string;
  /** The bus of the running system; undefined if there is none. */
  find(): Promise<BusConfig | undefined>;
  /** The message if the bus does not answer. */
  unavailable: string;
}

const START_WITHIN_MS = 15_000;

/** Lists dead messages, or republishes them, for an operator. Resolves to the program's exit code. */
export async function runDeadLettersProgram(program: DeadLettersProgram): Promise<number> {
  const [verb, topic, ...rest] = program.args;
  const act = verb === 'list' ? list : verb === 'redrive' ? redrive : undefined;
  if (!act || rest.length > 0 || (topic !== undefined && !TOPICS.includes(topic))) return fail(usage(program), 2);
  const config = await program.find();
  if (!config) return fail(program.unavailable, 1);
  const bus = openBus(config, createLog('dead-letters', 'silent'), createMetrics());
  try {
    await within(START_WITHIN_MS, bus.start(), 'too late'); // Without a server, start() never ends.
    await bus.ready();
    for (const each of topic === undefined ? TOPICS : [topic]) await act(bus, each);
    return 0;
  } catch (error) {
    const { code, message } = publicError(error);
    return fail(code === 'internal' || codeOf(error) === 'unavailable' ? program.unavailable : message, 1);
  } finally {
    await bus.stop().catch(() => {});
  }
}

const usage = ({ command }: DeadLettersProgram) => `Usage: ${command} list [TOPIC]      lists the dead letters
       ${command} redrive [TOPIC]   publishes them again, each for the group that gave it up

TOPIC is one of: ${TOPICS.join(', ')}`;

async function list(bus: Bus, topic: string): Promise<void> {
  const messages = await listDeadLetters(bus, topic);
  for (const message of messages) say([topic, ...describe(message)].join('  '));
  const more = (await countDeadLetters(bus, topic)) - messages.length;
  if (more > 0) say(`${topic}  and ${more} more`);
}

async function redrive(bus: Bus, topic: string): Promise<void> {
  const { redriven, refused } = await redriveDeadLetters(bus, topic);
  say(
    `${topic}: ${redriven} published again${refused > 0 ? `, ${refused} left out that the bus itself had refused, or that were forged` : ''}`,
  );
}

function describe({ id, key, value, headers }: Received): string[] {
  const group = headers[DEAD_GROUP] ?? '(refused by the bus)';
  return [group, what(value), key, id, oneLine(headers[DEAD_REASON] ?? '')];
}

/** The time and name of the event. A message that is not an event may be here for that very reason. */
function what(value: Uint8Array): string {
  try {
    const { at, payload } = fromBinary(EventSchema, value);
    const time = at ? new Date(Number(at.seconds) * 1_000).toISOString() : '';
    return `${time} ${payload.case ?? '(no payload)'}`.trim();
  } catch {
    return '(not an event)';
  }
}

/** Removes control characters, which would otherwise reach the operator's terminal. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(sentence: string, code: number): number {
  process.stderr.write(`${sentence}\n`);
  return code;
}
