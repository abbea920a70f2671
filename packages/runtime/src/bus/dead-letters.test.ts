import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { CONVERSATIONS_TOPIC, KNOWLEDGE_TOPIC, TOPICS } from '@parley/proto/events/v1/topics';
import { createLog } from '../log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { freshDatabase, until } from '../testing/index.ts';
import { type Bus, deadMessage, deadTopic } from './bus.ts';
import { openBus } from './open-bus.ts';

const database = freshDatabase();
const busDatabase = { ...database, name: `${database.name}_bus` };
const metrics = createMetrics();
let bus: Bus;
beforeAll(async () => {
  const config = { mongodb: { uri: database.uri, database: busDatabase.name }, prefix: 'here.' };
  bus = openBus(config, createLog('test', 'silent'), metrics);
  await bus.start();
});
afterAll(async () => {
  await bus.stop();
  await busDatabase.drop();
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** As in a pod, where the process's environment tells the program where the bus is. */
const deadLetters = (args: string[], variables: Record<string, string> = {}) =>
  new Promise<Ended>((resolve) => {
    const program = fileURLToPath(new URL('../dead-letters.ts', import.meta.url));
    const own = { MONGODB_URI: database.uri, MONGODB_DATABASE_PREFIX: database.name, BUS_PREFIX: 'here.' };
    const env = { ...process.env, NODE_OPTIONS: '', ...own, ...variables };
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

const event = (entityId: string) => {
  const at = timestampFromDate(new Date('2026-11-01T12:00:00Z'));
  const payload = { case: 'knowledgeItemDeleted', value: {} } as const;
  const value = toBinary(EventSchema, create(EventSchema, { id: `id-${entityId}`, entityId, at, payload }));
  return { key: entityId, id: `id-${entityId}`, value };
};

test('an operator lists dead letters with their reasons, and republishes each once', async () => {
  let mended = false;
  const handled: string[] = [];
  bus.subscribe({
    topic: KNOWLEDGE_TOPIC,
    group: 'assistants',
    async handle({ key }) {
      if (mended) handled.push(key);
    },
  });
  // A message given up by its group, and an event that the bus refused.
  const dead = deadMessage(event('item'), 'here.assistants', new Error('no\nsuch\u001b[31m thing'));
  await bus.publish(deadTopic(KNOWLEDGE_TOPIC), [dead, deadMessage(event('large'), undefined, 'too large')]);
  expect(await deadLetters(['list'])).toEqual({
    code: 0,
    stdout: `parley.knowledge  here.assistants  2026-11-01T12:00:00.000Z knowledgeItemDeleted  item  id-item  no such [31m thing
parley.knowledge  (refused by the bus)  2026-11-01T12:00:00.000Z knowledgeItemDeleted  large  id-large  too large
`,
    stderr: '',
  });
  mended = true;
  const others = TOPICS.filter((topic) => topic !== KNOWLEDGE_TOPIC);
  const none = others.map((topic) => `${topic}: 0 published again\n`).join('');
  expect((await deadLetters(['redrive'])).stdout).toBe(
    `${KNOWLEDGE_TOPIC}: 1 published again, 1 left out that the bus itself had refused, or that were forged\n${none}`,
  );
  await until(() => handled.length > 0);
  expect((await deadLetters(['redrive'])).stdout).toBe(`${KNOWLEDGE_TOPIC}: 0 published again\n${none}`);
  expect((await deadLetters(['list', KNOWLEDGE_TOPIC])).stdout).toBe('');
  expect(handled).toEqual(['item']);
});

test('dead letters of a relay are counted too', async () => {
  await bus.publish(deadTopic(CONVERSATIONS_TOPIC), [deadMessage(event('large'), undefined, 'too large')]);
  expect((await metrics.scrape()).text).toContain(
    'parley_bus_dead_total{topic="here.parley.conversations",group=""} 1',
  );
});

test('wrong usage, a wrong prefix and an unresponsive server each get a message', async () => {
  const [usage, topic, prefix, nowhere] = await Promise.all([
    deadLetters([]),
    deadLetters(['list', 'nonsense']),
    deadLetters(['list'], { BUS_PREFIX: 'No' }),
    deadLetters(['list'], { KAFKA_BROKERS: '127.0.0.1:1' }),
  ]);
  for (const wrong of [usage, topic])
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: node packages.*parley.knowledge/s) });
  expect(prefix).toMatchObject({ code: 78, stderr: expect.stringMatching(/^BUS_PREFIX must have/) });
  expect(nowhere).toEqual({ code: 1, stdout: '', stderr: 'Kafka does not answer at 127.0.0.1:1.\n' });
});
