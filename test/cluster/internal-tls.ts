import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issue } from '@parley/runtime/testing';
import { RPC_NAMES } from '../../deploy/processes.ts';
import type { Namespace } from './kubernetes.ts';
import type { Release, Values } from './release.ts';

const SECRET = 'parley-test-internal-tls';
/** Each can speak with its neighbours, so no request fails in between. */
const MODES = ['allow', 'prefer', 'require'];

/** Has the pods of a running release show each other a certificate, step by step. Returns the values that it has then. */
export async function turnOnTls(namespace: Namespace, release: Release, values: Values): Promise<Values> {
  await makeCertificate(namespace, release);
  const withMode = (mode: string) => ({ ...values, internalTls: { existingSecret: SECRET, mode } });
  for (const mode of MODES) await release.upgrade(withMode(mode));
  return withMode(MODES.at(-1)!);
}

async function makeCertificate(namespace: Namespace, { name }: Release): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-tls-'));
  try {
    await issue(dir, 'ca');
    await issue(dir, 'pods', { by: 'ca', names: RPC_NAMES.map((service) => `DNS:${name}-${service}`).join() });
    const read = (file: string) => readFile(join(dir, file), 'utf8');
    await namespace.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { name: SECRET },
      stringData: {
        'tls.crt': await read('pods.crt'),
        'tls.key': await read('pods.key'),
        'ca.crt': await read('ca.crt'),
      },
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
