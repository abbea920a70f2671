import { expect, test } from '@jest/globals';
import { createLog } from './log.ts';
import { createProcess } from './process.ts';

test('a component that exceeds its stop time is left behind, and the others still stop', async () => {
  const stopped: string[] = [];
  const process = createProcess('test', createLog('test', 'silent'), [
    { name: 'store', stop: async () => void stopped.push('store') },
    { name: 'stuck', stop: () => new Promise(() => {}), stopMs: 20 },
    { name: 'server', stop: async () => void stopped.push('server'), stopMs: 60_000 },
  ]);
  await process.start();
  await process.stop();
  expect(stopped).toEqual(['server', 'store']);
});
