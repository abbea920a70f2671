import { expect, test } from '@jest/globals';
import { createLog } from './log.ts';
import { createProcess } from './process.ts';

test('a component is left behind when it takes longer to stop than it said, and the others stop all the same', async () => {
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
