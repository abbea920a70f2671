import { expect, test } from '@jest/globals';
import { heapGrowth } from '../testing/index.ts';
import { connectS3, S3_TIMING } from './s3-client.ts';

test('finished requests leave nothing on the heap of a caller with a lasting signal', async () => {
  const keys = { accessKey: 'an-access-key', secretKey: 'a-secret-key' };
  const identity = { keys, bucket: 'objects', region: 'us-east-1' };
  const s3 = connectS3({ endpoint: 'http://127.0.0.1:1', ...identity }, S3_TIMING);
  const lasting = new AbortController();
  const ask = async (times: number) => {
    for (let i = 0; i < times; i++) await s3.ask(async () => {}, lasting.signal);
  };
  expect(await heapGrowth(4_000, ask)).toBeLessThan(2 ** 19);
  s3.close();
}, 300_000);
