import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { pinned } from '../../deploy/images/list.ts';
import { startRegistry } from '../../deploy/stack/registry.ts';
import { exampleFile, helm, render } from './chart.ts';

// The registry may have to be built first.
jest.setTimeout(180_000);

test('the chart is pushed to a registry, told by its digest, and renders from there as the folder does', async () => {
  await using stops = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'parley-registry-'));
  stops.defer(() => rm(folder, { recursive: true }));
  const registry = await startRegistry({ dataDir: folder });
  stops.defer(registry.stop);
  await helm(['package'], ['--destination', folder]);
  const file = (await readdir(folder)).find((name) => name.endsWith('.tgz'))!;
  const version = file.replace(/^parley-(.*)\.tgz$/, '$1');
  await helm(['push'], [`oci://${registry.host}/charts`, '--plain-http'], join(folder, file));

  const digest = /@(sha256:[0-9a-f]{64})$/.exec(await pinned(`${registry.host}/charts/parley:${version}`))![1];
  const options = [...exampleFile('external.yaml'), '--set', 'secret.existingSecret=mine'];
  const folders = await render(options);
  const from = (reference: string, more: string[]) =>
    render([...options, '--plain-http', ...more], 'parley', `oci://${registry.host}/charts/parley${reference}`);
  expect(await from('', ['--version', version])).toEqual(folders);
  expect(await from(`@${digest}`, [])).toEqual(folders);
});
