import { expect, test } from '@jest/globals';
import { runSteps, Skipped } from './steps.ts';

const nothing = async () => '';
const passes = { name: 'passes', run: nothing };
const fails = { name: 'fails', run: () => Promise.reject(new Error('wrong')) };

test('a step that lacks something is skipped: it has neither passed nor failed, and the others run', async () => {
  const skips = { name: 'skips', run: () => Promise.reject(new Skipped('no metrics-server')) };
  expect(await runSteps([passes, skips, passes], nothing)).toEqual({ passed: 2, failed: 0 });
});

test('after an essential step that fails, all that follow have failed too', async () => {
  expect(await runSteps([passes, { ...fails, essential: true }, passes], nothing)).toEqual({ passed: 1, failed: 2 });
  expect(await runSteps([passes, fails, passes], nothing)).toEqual({ passed: 2, failed: 1 });
});
