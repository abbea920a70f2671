import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { unavailable } from '../../errors.ts';
import { until } from '../../testing/index.ts';
import { type Bus, DEAD_GROUP, deadTopic } from '../bus.ts';
import { DEAD_LETTERS, listDeadLetters, redriveDeadLetters } from '../dead-letters.ts';
import { prefixed } from '../prefixed.ts';
import { collect, idOf, message } from './tools.ts';

/** The part of the contract that operators rely on: outages, dead messages, lag, installations on one server. */
export function operatorsContract(newTopic: () => string, openBus: () => Promise<Bus>, theBus: () => Bus): void {
  test('installations with different prefixes on one server see nothing of each other', async () => {
    const bus = theBus();
    const topic = newTopic();
    const [one, two] = [prefixed(await openBus(), 'one.'), prefixed(await openBus(), 'two.')];
    const installations = [bus, one, two].map((installation) => ({
      installation,
      got: collect(installation, topic, 'g'),
    }));
    for (const [i, { installation }] of installations.entries()) await installation.publish(topic, [message('k', i)]);
    for (const { got } of installations) await until(() => got.length > 0);
    for (const { installation } of installations) await until(async () => (await installation.lag(topic, 'g')) === 0);
    expect(installations.map(({ got }) => got.map(idOf))).toEqual([['0'], ['1'], ['2']]);
    await one.publish(topic, [message('k', 3)]);
    expect((await one.peek(topic, 'late', 10)).map(idOf)).toEqual(['1', '3']);
    expect((await two.peek(topic, 'late', 10)).map(idOf)).toEqual(['2']);
    await expect(one.publish('No Such Topic', [message('k', 1)])).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(() => one.subscribe({ topic, group: '-', handle: async () => {} })).toThrow('group');
  });

  test('a group lags by the messages it has not handled, and can peek at them without handling them', async () => {
    const bus = theBus();
    const topic = newTopic();
    expect(await bus.lag(topic, 'g')).toBe(0);
    expect(await bus.peek(topic, 'g', 10)).toEqual([]);
    const published = Array.from({ length: 12 }, (_, i) => message(`key-${i % 5}`, i));
    await bus.publish(topic, published);
    expect(await bus.lag(topic, 'g')).toBe(12);
    const seen = await bus.peek(topic, 'g', 100);
    expect(new Set(seen.map(idOf))).toEqual(new Set(published.map(idOf)));
    expect(seen[0]).toMatchObject({ headers: { 'content-type': 'text/plain' }, attempt: 1 });
    expect(await bus.peek(topic, 'g', 3)).toHaveLength(3);
    const got = collect(bus, topic, 'g');
    await until(async () => got.length === 12 && (await bus.lag(topic, 'g')) === 0);
    await bus.publish(topic, [message('k', 12)]);
    await until(() => got.length === 13);
    await until(async () => (await bus.peek(topic, 'g', 10)).length === 0);
    expect((await bus.peek(topic, 'late', 100)).length).toBe(13);
  });

  test('a message is handled once what its handler needs is available again, however often it was tried', async () => {
    const bus = theBus();
    const topic = newTopic();
    const seen: number[] = [];
    bus.subscribe({
      topic,
      group: 'g',
      async handle({ attempt }) {
        seen.push(attempt);
        const failures = [
          unavailable('The database is unavailable.'),
          new ConnectError('no answer', Code.DeadlineExceeded),
          new MongoNetworkError('connection closed'),
        ];
        if (seen.length < 10) throw failures[seen.length % 3];
      },
    });
    const dead = collect(bus, deadTopic(topic), 'undertaker');
    await bus.publish(topic, [message('k', 1)]);
    await until(() => seen.length === 10);
    await until(async () => (await bus.lag(topic, 'g')) === 0);
    expect(new Set(seen)).toEqual(new Set([1]));
    expect(dead).toEqual([]);
  });

  test('a republished dead message reaches the group that gave it up, and no other', async () => {
    const bus = theBus();
    const topic = newTopic();
    let mended = false;
    const handled: string[] = [];
    bus.subscribe({
      topic,
      group: 'broken',
      async handle({ id }) {
        if (!mended) throw new Error('not yet');
        handled.push(id);
      },
    });
    const others = collect(bus, topic, 'sound');
    await bus.publish(topic, [message('k', 1)]);
    await until(async () => (await bus.lag(deadTopic(topic), DEAD_LETTERS)) === 1);
    expect(await listDeadLetters(bus, topic)).toMatchObject([{ id: '1', headers: { [DEAD_GROUP]: 'broken' } }]);
    mended = true;
    expect(await redriveDeadLetters(bus, topic)).toEqual({ redriven: 1, refused: 0 });
    expect(await redriveDeadLetters(bus, topic)).toEqual({ redriven: 0, refused: 0 });
    await until(() => handled.length === 1);
    await bus.publish(topic, [message('k', 2)]);
    await until(() => handled.length === 2 && others.length === 2);
    expect(others.map(idOf)).toEqual(['1', '2']);
    expect(await listDeadLetters(bus, topic)).toEqual([]);
  });
}
