import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka } from '../../../../deploy/stack/kafka.ts';
import { busContract } from './contract.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'parley-kafka-'));
const kafka = await startKafka({ dataDir });
const opener = { module: new URL('./contract-open-kafka.ts', import.meta.url).href, argument: kafka.brokers };

busContract('the bus on Kafka', async () => ({
  opener,
  async close() {
    await kafka.stop();
    await rm(dataDir, { recursive: true });
  },
}));
