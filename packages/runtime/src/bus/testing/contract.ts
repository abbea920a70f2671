import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { until } from '../../testing/index.ts';
import {
  type Bus,
  DEAD_GROUP,
  DEAD_REASON,
  deadTopic,
  MAX_MESSAGE_BYTES,
  type Received,
  type Subscription,
} from '../bus.ts';
import { operatorsContract } from './operators-contract.ts';
import { chunks, collect, expectInOrder, idOf, message, type Opener, startChild } from './tools.ts';
import { trustContract } from './trust-contract.ts';

export interface BusUnderTest {
  opener: Opener;
  close(): Promise<void>;
}

/**
 * The guarantees of every bus, for the tests of each adapter, which open buses with short times: a few attempts within
 * a second, and another process's messages taken over within five.
 */
export function busContract(name: string, openUnderTest: () => Promise<BusUnderTest>): void {
  describe(name, () => {
    let tested: BusUnderTest;
    const buses: Bus[] = [];
    /** Opens one more bus, as another process would. */
    const openBus = async () => {
      const { openBus: open } = await import(tested.opener.module);
      const bus: Bus = await open(tested.opener.argument);
      buses.push(bus);
      const subscribe: Bus['subscribe'] = (subscriber) => {
        const subscription = bus.subscribe(subscriber);
        subscriptions.push(subscription);
        return subscription;
      };
      return { ...bus, subscribe };
    };
    /** Subscriptions of the running test, which ends them: those of all tests together would keep the machine busy. */
    const subscriptions: Subscription[] = [];
    afterEach(async () => {
      await Promise.all(subscriptions.splice(0).map((subscription) => subscription.close()));
    });
    let bus: Bus;
    beforeAll(async () => {
      tested = await openUnderTest();
      bus = await openBus();
    });
    afterAll(async () => {
      await Promise.all(buses.map((opened) => opened.stop()));
      await tested.close();
    });

    /** Returns the output of a process that died by kill -9 after this many messages. */
    const killed = async (task: Parameters<typeof startChild>[2], after: number) => {
      const { lines, ended } = startChild(tested.opener, { name: 'SIGKILL', after }, task);
      await ended;
      return lines;
    };

    const newTopic = () => `t-${randomUUID()}`;

    test('every group receives every message as published, in the order of its key', async () => {
      const topic = newTopic();
      const groups = ['one', 'two'].map((group) => collect(bus, topic, group));
      const published = Array.from({ length: 200 }, (_, i) => message(`key-${i % 7}`, i));
      await Promise.all(chunks(published, 9).map((batch) => bus.publish(topic, batch)));
      for (const got of groups) {
        await until(() => got.length >= published.length);
        expectInOrder(got, published);
        expect(got[0]).toMatchObject({ headers: { 'content-type': 'text/plain' }, attempt: 1 });
      }
    });

    test('any key, id, header and bytes come back unchanged', async () => {
      const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
      const headers = fc.dictionary(fc.stringMatching(/^[a-z0-9-]{1,20}$/), fc.string({ unit: 'grapheme' }));
      const anyMessage = fc.record({ key: text, id: text, headers, value: fc.uint8Array({ maxLength: 5_000 }) });
      const batches = fc.uniqueArray(anyMessage, { selector: (m) => m.id, minLength: 10, maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(batches, async (batch) => {
          const topic = newTopic();
          const got = collect(bus, topic, 'g');
          await bus.publish(topic, batch);
          await until(() => got.length === batch.length);
          for (const sent of batch) {
            const { value, ...received } = got.find((m) => m.id === sent.id)!;
            expect(received).toEqual({ key: sent.key, id: sent.id, headers: { ...sent.headers }, attempt: 1 });
            expect(Buffer.compare(value, sent.value)).toBe(0);
          }
        }),
        { numRuns: 4 },
      );
    });

    test('a new group starts at the oldest message', async () => {
      const topic = newTopic();
      const published = Array.from({ length: 20 }, (_, i) => message(`key-${i % 3}`, i));
      await bus.publish(topic, published);
      const got = collect(bus, topic, 'late');
      await until(() => got.length >= 20);
      expectInOrder(got, published);
    });

    test('a group resumes where its last process stopped', async () => {
      const topic = newTopic();
      const first = await openBus();
      const before = collect(first, topic, 'g');
      await bus.publish(topic, [message('k', 1), message('k', 2)]);
      await until(() => before.length === 2);
      await first.stop();
      await bus.publish(topic, [message('k', 3)]);
      const after = collect(await openBus(), topic, 'g');
      await until(() => after.length > 0);
      expect(after.map(idOf)).toEqual(['3']);
    });

    test('a message whose handler failed is redelivered before the next one of its key', async () => {
      const topic = newTopic();
      const seen: string[] = [];
      bus.subscribe({
        topic,
        group: 'g',
        async handle({ id, attempt }) {
          seen.push(`${id} attempt ${attempt}`);
          if (id === '1' && attempt < 3) throw new TypeError('not yet');
        },
      });
      await bus.publish(topic, [message('k', 1), message('k', 2)]);
      await until(() => seen.length >= 4);
      expect(seen).toEqual(['1 attempt 1', '1 attempt 2', '1 attempt 3', '2 attempt 1']);
    });

    test('a poison message becomes a dead letter with its reason, and nothing behind it is lost', async () => {
      const topic = newTopic();
      const handled: string[] = [];
      bus.subscribe({
        topic,
        group: 'g',
        async handle({ id }) {
          if (id === '0') throw new Error('cannot read this');
          handled.push(id);
        },
      });
      const dead = collect(bus, deadTopic(topic), 'undertaker');
      await bus.publish(topic, [
        message('poisoned', 0),
        ...Array.from({ length: 10 }, (_, i) => message(`k${i}`, i + 1)),
      ]);
      await bus.publish(topic, [message('poisoned', 11)]);
      await until(() => dead.length === 1 && handled.length === 11);
      expect(dead[0]).toMatchObject({ key: 'poisoned', id: '0' });
      expect(Buffer.from(dead[0]!.value).toString()).toBe('value 0');
      expect(dead[0]!.headers).toMatchObject({ [DEAD_GROUP]: 'g', [DEAD_REASON]: 'cannot read this' });
    });

    test('a handler that never ends does not hold up its group forever', async () => {
      const topic = newTopic();
      const handled: string[] = [];
      bus.subscribe({
        topic,
        group: 'g',
        async handle({ id, attempt }) {
          if (id === '1' && attempt === 1) await new Promise(() => {});
          handled.push(id);
        },
      });
      await bus.publish(topic, [message('k', 1), message('k', 2)]);
      await until(() => handled.length === 2);
      expect(handled).toEqual(['1', '2']);
    });

    test('a failing group holds up no other group', async () => {
      const topic = newTopic();
      bus.subscribe({ topic, group: 'broken', handle: async () => Promise.reject(new Error('always')) });
      const got = collect(bus, topic, 'sound');
      await bus.publish(topic, [message('k', 1), message('k', 2)]);
      await until(() => got.length === 2);
    });

    test('two processes of one group never work on one key concurrently or out of order', async () => {
      const topic = newTopic();
      const inWork = new Set<string>();
      const got: Received[] = [];
      const overlaps: string[] = [];
      const handle = async (received: Received) => {
        if (inWork.has(received.key)) overlaps.push(received.id);
        inWork.add(received.key);
        await sleep(1);
        got.push(received);
        inWork.delete(received.key);
      };
      const processes = await Promise.all([openBus(), openBus()]);
      for (const process of processes) process.subscribe({ topic, group: 'g', handle });
      const published = Array.from({ length: 120 }, (_, i) => message(`key-${i % 8}`, i));
      for (const [i, batch] of chunks(published, 12).entries()) await processes[i % 2]!.publish(topic, batch);
      await until(() => new Set(got.map(idOf)).size === published.length);
      expect(overlaps).toEqual([]);
      expectInOrder(got, published);
    });

    test('stopping lets the running handler finish and starts no other', async () => {
      const topic = newTopic();
      const process = await openBus();
      const gate = new EventEmitter();
      const seen: string[] = [];
      process.subscribe({
        topic,
        group: 'g',
        async handle({ id }) {
          seen.push(`${id} begins`);
          await once(gate, 'open');
          seen.push(`${id} ends`);
        },
      });
      await process.publish(topic, [message('k', 1), message('k', 2)]);
      await until(() => seen.length === 1);
      const stopped = process.stop();
      gate.emit('open');
      await stopped;
      expect(seen).toEqual(['1 begins', '1 ends']);
      await expect(process.publish(topic, [message('k', 3)])).rejects.toMatchObject({ code: 'unavailable' });
      const rest = collect(bus, topic, 'g');
      await until(() => rest.length > 0);
      expect(rest.map(idOf)).toEqual(['2']);
    });

    test('a closed subscription handles nothing more', async () => {
      const topic = newTopic();
      const closed: string[] = [];
      const subscription = bus.subscribe({ topic, group: 'g', handle: async ({ id }) => void closed.push(id) });
      await bus.publish(topic, [message('k', 1)]);
      await until(() => closed.length === 1);
      await subscription.close();
      const other = collect(bus, topic, 'other');
      await bus.publish(topic, [message('k', 2)]);
      await until(() => other.length === 2);
      expect(closed).toEqual(['1']);
    });

    test('the largest message is accepted; a larger one is refused with the limit, and its batch is not published', async () => {
      const topic = newTopic();
      const got = collect(bus, topic, 'g');
      const largest = { key: 'k', id: '1', value: Buffer.alloc(MAX_MESSAGE_BYTES - 2) };
      const tooLarge = { key: 'k', id: '2', value: Buffer.alloc(MAX_MESSAGE_BYTES - 1) };
      await expect(bus.publish(topic, [message('k', 0), tooLarge])).rejects.toThrow('at most 1000000 bytes');
      await bus.publish(topic, [largest]);
      await until(() => got.length > 0);
      expect(got.map((m) => [m.id, m.value.byteLength])).toEqual([['1', MAX_MESSAGE_BYTES - 2]]);
    });

    operatorsContract(newTopic, openBus, () => bus);
    trustContract(newTopic, () => bus);

    test('invalid names, keys, ids and headers are refused', async () => {
      const refused = { code: 'invalid_argument' };
      await expect(bus.publish('No Such Topic', [message('k', 1)])).rejects.toMatchObject(refused);
      for (const bad of [{ key: '' }, { key: 'k'.repeat(201) }, { id: '' }, { headers: { 'Not Good': '' } }]) {
        await expect(bus.publish(newTopic(), [{ ...message('k', 1), ...bad }])).rejects.toMatchObject(refused);
      }
      const handle = async () => {};
      expect(() => bus.subscribe({ topic: newTopic(), group: '', handle })).toThrow('group');
      expect(() => bus.subscribe({ topic: '../t', group: 'g', handle })).toThrow('topic');
    });

    test('everything acknowledged to a process is delivered, even if it dies by kill -9', async () => {
      const topic = newTopic();
      const acknowledged = await killed(['publish', topic], 100);
      const got = collect(bus, topic, 'g');
      await until(() => acknowledged.every((id) => got.some((m) => m.id === id)));
      for (const key of ['a', 'b', 'c', 'd', 'e']) {
        const ids = got.filter((m) => m.key === key).map(idOf);
        expect(ids).toEqual(ids.map((_, i) => `${key}:${i}`));
      }
    });

    test('messages not handled when a consumer dies by kill -9 are handled by another of its group, in order', async () => {
      const topic = newTopic();
      const published = Array.from({ length: 150 }, (_, i) => message(`key-${i % 5}`, i));
      await bus.publish(topic, published);
      const handledBefore = await killed(['consume', topic, 'g'], 50);
      const got = collect(bus, topic, 'g');
      await until(() => new Set([...handledBefore, ...got.map(idOf)]).size === published.length);
      expect(handledBefore).toHaveLength(50);
      const before = published.filter((m) => handledBefore.includes(m.id));
      expectInOrder([...before, ...got], published);
    });

    test('an attempt during which its process died counts', async () => {
      const topic = newTopic();
      await bus.publish(topic, [message('k', 1)]);
      await killed(['consume', topic, 'g'], 1);
      const got = collect(bus, topic, 'g');
      await until(() => got.length > 0);
      expect(got[0]).toMatchObject({ id: '1', attempt: 2 });
    });

    test('a working bus is ready', async () => {
      await bus.ready();
    });
  });
}
