import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { readBody } from './body.ts';

test('a body that arrives byte by byte takes little more memory than its size', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const chunks: WeakRef<Buffer>[] = [];
  let held = 0;
  async function* drip() {
    for (let i = 0; i < 10_000; i++) {
      const chunk = Buffer.from('x');
      chunks.push(new WeakRef(chunk));
      yield chunk;
      // A WeakRef keeps its target until the task ends.
      if (i % 2_000 === 0) await new Promise(setImmediate);
    }
    collect();
    held = chunks.filter((chunk) => chunk.deref()).length;
  }
  const body = await readBody(Readable.from(drip()), '', { maxBytes: 10_000 });
  expect(body.toString()).toBe('x'.repeat(10_000));
  expect(held).toBeLessThan(5_000);
});
