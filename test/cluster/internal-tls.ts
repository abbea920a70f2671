import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issue } from '@parley/runtime/testing';
import { PROCESS_NAMES, RPC_NAMES } from '../../deploy/processes.ts';
import { componentOf, eventually, type Namespace } from './kubernetes.ts';
import type { Release, Values } from './release.ts';
import type { Runner } from './runner.ts';
import { describeSystem } from './suite.ts';

const SECRET = 'parley-test-internal-tls';
/** Each can speak with its neighbours, so no request fails in between. */
const MODES = ['allow', 'prefer', 'require'];
/** Kubernetes takes up to two minutes to replace the files of a Secret in its pods, and a process looks now and then. */
const RENEWED_WITHIN_MS = 240_000;

/** All processes but the trainer, which calls nobody. */
const SPEAKING = PROCESS_NAMES.filter((name) => name !== 'trainer');

/** Where the runner has the same certificate. */
const DIR = '/tmp/internal-tls';

/** The files of a certificate, by their names in a Secret. */
type Files = Record<string, string>;

/**
 * Has the pods of a running release show each other a certificate, step by step, and the runner show it, too, from then on; then
 * renews it, and waits until every pod has taken the new one. Returns the values that the release has then.
 */
export async function turnOnTls(
  namespace: Namespace,
  release: Release,
  runner: Runner,
  values: Values,
): Promise<Values> {
  const { first, renewed } = await makeCertificates(RPC_NAMES.map((service) => `${release.name}-${service}`));
  await applySecret(namespace, first);
  const withMode = (mode: string) => ({ ...values, internalTls: { existingSecret: SECRET, mode } });
  for (const mode of MODES) await release.upgrade(withMode(mode));
  for (const [name, content] of Object.entries(first)) await runner.write(`${DIR}/${name}`, content);
  await describeSystem(namespace, release, runner, { rpcTls: { dir: DIR, mode: 'require' } });
  await applySecret(namespace, renewed);
  await untilRenewed(namespace);
  return withMode('require');
}

const applySecret = (namespace: Namespace, files: Files) =>
  namespace.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name: SECRET },
    stringData: files,
  });

/** Waits until every pod that speaks gRPC has said that it uses the new certificate. */
async function untilRenewed({ pods, kubectl }: Namespace): Promise<void> {
  const speaking = (await pods()).filter((pod) => SPEAKING.some((name) => name === componentOf(pod)));
  const waiting = new Set(speaking.map(({ metadata }) => metadata.name));
  await eventually('A pod has not taken the renewed certificate', RENEWED_WITHIN_MS, async () => {
    for (const name of waiting)
      if ((await kubectl(['logs', name])).includes('the certificate was renewed')) waiting.delete(name);
    return waiting.size === 0;
  });
}

/** Returns two certificates of one CA for these names. */
async function makeCertificates(names: readonly string[]): Promise<{ first: Files; renewed: Files }> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-tls-'));
  const read = (file: string) => readFile(join(dir, file), 'utf8');
  const make = async (name: string): Promise<Files> => {
    await issue(dir, name, { by: 'ca', names: names.map((name) => `DNS:${name}`).join() });
    return {
      'tls.crt': await read(`${name}.crt`),
      'tls.key': await read(`${name}.key`),
      'ca.crt': await read('ca.crt'),
    };
  };
  try {
    await issue(dir, 'ca');
    return { first: await make('first'), renewed: await make('renewed') };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
