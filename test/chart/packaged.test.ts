import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { exampleFile, helm, render } from './chart.ts';

test('the packaged chart, as a registry has it, renders as the folder does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-chart-'));
  try {
    await helm(['package'], ['--destination', folder]);
    const [name, ...others] = await readdir(folder);
    expect([name, others]).toEqual([expect.stringMatching(/^parley-\d+\.\d+\.\d+\.tgz$/), []]);
    const options = [...exampleFile('external.yaml'), '--set', 'secret.existingSecret=mine'];
    expect(await render(options, 'parley', join(folder, name!))).toEqual(await render(options));
  } finally {
    await rm(folder, { recursive: true });
  }
});
