import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issue } from '@parley/runtime/testing';
import { RPC_NAMES } from '../../deploy/processes.ts';
import type { Namespace } from './kubernetes.ts';
import type { Release, Values } from './release.ts';
import type { Runner } from './runner.ts';
import { describeSystem } from './suite.ts';

const SECRET = 'parley-test-internal-tls';
/** Each can speak with its neighbours, so no request fails in between. */
const MODES = ['allow', 'prefer', 'require'];

/** Where the runner has the same certificate. */
const DIR = '/tmp/internal-tls';

/**
 * Has the pods of a running release show each other a certificate, step by step, and the runner show it, too, from then on.
 * Returns the values that the release has then.
 */
export async function turnOnTls(
  namespace: Namespace,
  release: Release,
  runner: Runner,
  values: Values,
): Promise<Values> {
  const files = await makeCertificate(RPC_NAMES.map((service) => `${release.name}-${service}`));
  await namespace.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name: SECRET },
    stringData: files,
  });
  const withMode = (mode: string) => ({ ...values, internalTls: { existingSecret: SECRET, mode } });
  for (const mode of MODES) await release.upgrade(withMode(mode));
  for (const [name, content] of Object.entries(files)) await runner.write(`${DIR}/${name}`, content);
  await describeSystem(namespace, release, runner, { rpcTls: { dir: DIR, mode: 'require' } });
  return withMode('require');
}

/** Returns the files of a certificate for these names, by their names in a Secret. */
async function makeCertificate(names: readonly string[]): Promise<Record<string, string>> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-tls-'));
  const read = (file: string) => readFile(join(dir, file), 'utf8');
  try {
    await issue(dir, 'ca');
    await issue(dir, 'pods', { by: 'ca', names: names.map((name) => `DNS:${name}`).join() });
    return { 'tls.crt': await read('pods.crt'), 'tls.key': await read('pods.key'), 'ca.crt': await read('ca.crt') };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
