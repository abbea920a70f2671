import { create, toBinary } from '@bufbuild/protobuf';
import { expect, test } from '@jest/globals';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { pino } from 'pino';
import { until } from '../../testing/index.ts';
import { type Bus, type BusMessage, DEAD_REASON, DEAD_REJECTED, deadTopic, Rejected } from '../bus.ts';
import { createDeletionRetry, redriveDeadLetters } from '../dead-letters.ts';
import { SIGNATURE, signedBus } from '../signed-bus.ts';
import { collect, idOf, message } from './tools.ts';

const secret = 'the secret of these tests';

/** The part of the contract that stops forgers, and that deletions rely on. */
export function trustContract(newTopic: () => string, theBus: () => Bus): void {
  const signedFor = (topic: string, role: string, by = secret) =>
    signedBus(theBus(), { secret: by, role }, { [topic]: 'producer' });

  /** A message as its producer signs it. */
  async function signed(topic: string, plain: BusMessage): Promise<BusMessage> {
    const sent: BusMessage[] = [];
    const recorder = { ...theBus(), publish: async (_: string, messages: BusMessage[]) => void sent.push(...messages) };
    await signedBus(recorder, { secret, role: 'producer' }, { [topic]: 'producer' }).publish(topic, [plain]);
    return sent[0]!;
  }

  test('what its producer has signed arrives; what anyone else publishes is a dead letter at once', async () => {
    const topic = newTopic();
    const got = collect(signedFor(topic, 'consumer'), topic, 'g');
    const dead = collect(theBus(), deadTopic(topic), 'undertaker');
    const own = await signed(topic, message('k', 1));
    const elsewhere = await signed(newTopic(), message('k', 2));
    const forged: BusMessage[] = [
      message('k', 2),
      elsewhere,
      { ...message('k', 3), headers: { [SIGNATURE]: own.headers![SIGNATURE]! } },
      { ...own, key: 'other', id: '4' },
      { ...own, id: '5' },
      { ...own, value: Buffer.from('changed') },
      { ...message('k', 6), headers: { [SIGNATURE]: '' } },
    ];
    await theBus().publish(topic, [...forged, own]);
    await signedFor(topic, 'producer').publish(topic, [message('k', 7)]);
    await until(() => got.length === 2 && dead.length === forged.length);
    expect(got.map(idOf)).toEqual(['1', '7']);
    expect(got.map(({ attempt }) => attempt)).toEqual([1, 1]);
    for (const { headers } of dead)
      expect(headers).toMatchObject({
        [DEAD_REJECTED]: 'true',
        [DEAD_REASON]: 'The message is not signed by producer.',
      });
    await expect(signedFor(topic, 'consumer').publish(topic, [message('k', 8)])).rejects.toThrow('Only producer');
    expect(() =>
      signedFor(topic, 'consumer').subscribe({ topic: newTopic(), group: 'g', handle: async () => {} }),
    ).toThrow('PRODUCER_OF');
  });

  test("a producer of another system, or another process of this one, can't sign for it", async () => {
    const topic = newTopic();
    const got = collect(signedFor(topic, 'consumer'), topic, 'g');
    const others = [
      signedBus(theBus(), { secret: 'another secret', role: 'producer' }, { [topic]: 'producer' }),
      signedBus(theBus(), { secret, role: 'consumer' }, { [topic]: 'consumer' }),
    ];
    for (const [i, other] of others.entries()) await other.publish(topic, [message('k', i)]);
    await signedFor(topic, 'producer').publish(topic, [message('k', 2)]);
    await until(() => got.length === 1);
    expect(got.map(idOf)).toEqual(['2']);
    await until(async () => (await theBus().lag(deadTopic(topic), 'undertaker')) === 2);
  });

  test('a signed message that was given up can be republished; a forged one is not', async () => {
    const topic = newTopic();
    let mended = false;
    const handled: string[] = [];
    signedFor(topic, 'consumer').subscribe({
      topic,
      group: 'g',
      async handle({ id }) {
        if (!mended) throw new Error('not yet');
        handled.push(id);
      },
    });
    await signedFor(topic, 'producer').publish(topic, [message('k', 1)]);
    await theBus().publish(topic, [message('k', 2)]);
    await until(async () => (await theBus().lag(deadTopic(topic), 'undertaker')) === 2);
    mended = true;
    expect(await redriveDeadLetters(theBus(), topic)).toEqual({ redriven: 1, refused: 1 });
    await until(() => handled.length > 0);
    expect(handled).toEqual(['1']);
  });

  test('a deletion that was given up is tried again until it succeeds; nothing else is, nor what was rejected', async () => {
    const topic = newTopic();
    const [producer, consumer] = [signedFor(topic, 'producer'), signedFor(topic, 'consumer')];
    const log = pino({ level: 'silent' });
    const attempts: string[] = [];
    let broken = true;
    consumer.subscribe({
      topic,
      group: 'g',
      async handle({ id }) {
        attempts.push(id);
        if (id === 'contradicted') throw new Rejected('It still exists.');
        if (broken || id === 'created') throw new Error('broken');
      },
    });
    const of = (id: string, type: 'assistantDeleted' | 'knowledgeItemCreated') => ({
      key: id,
      id,
      value: toBinary(EventSchema, create(EventSchema, { id, payload: { case: type, value: {} } })),
    });
    await producer.publish(topic, [of('deleted', 'assistantDeleted'), of('contradicted', 'assistantDeleted')]);
    await producer.publish(topic, [of('created', 'knowledgeItemCreated')]);
    await theBus().publish(topic, [of('forged', 'assistantDeleted')]);
    await until(async () => (await theBus().lag(deadTopic(topic), 'undertaker')) === 4);
    expect(attempts.filter((id) => id === 'deleted')).toHaveLength(4);
    const loop = createDeletionRetry({ bus: consumer, topics: [topic], log, firstPauseMs: 10 });
    await loop.start();
    try {
      await until(async () => (await theBus().lag(deadTopic(topic), 'undertaker')) >= 6);
      broken = false;
      const before = attempts.length;
      await until(() => attempts.slice(before).includes('deleted'));
      await until(async () => (await theBus().lag(topic, 'g')) === 0);
      await until(async () => (await theBus().lag(deadTopic(topic), 'deletions')) === 0);
    } finally {
      await loop.stop();
    }
    expect(attempts.filter((id) => id === 'created')).toHaveLength(4);
    expect(attempts.filter((id) => id === 'contradicted')).toHaveLength(1);
    expect(attempts).not.toContain('forged');
  });
}
