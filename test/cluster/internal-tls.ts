import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issue } from '@parley/runtime/testing';
import { factsOf, PROCESS_NAMES, RPC_NAMES } from '../../deploy/processes.ts';
import { componentOf, eventually, type Namespace } from './kubernetes.ts';
import { underLoad } from './load.ts';
import type { Release, Values } from './release.ts';
import type { Runner } from './runner.ts';
import { Skipped } from './steps.ts';
import { describeSystem } from './suite.ts';

const SECRET = 'parley-test-internal-tls';
/** The CA of that certificate, with its key, for cert-manager to sign with. */
const CA = 'parley-test-ca';
/** Each can speak with its neighbours, so no request fails in between. */
const MODES = ['allow', 'prefer', 'require'];
/** Kubernetes takes up to two minutes to replace the files of a Secret in its pods, and a process looks now and then. */
const RENEWED_WITHIN_MS = 240_000;

/** The processes that serve or call RPCs. */
const SPEAKING = PROCESS_NAMES.filter((name) => factsOf(name).rpc !== undefined || factsOf(name).calls.length > 0);

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
  const { ca, first, renewed } = await makeCertificates(RPC_NAMES.map((service) => `${release.name}-${service}`));
  await applySecret(namespace, CA, ca);
  await applySecret(namespace, SECRET, first);
  const withMode = (mode: string) => ({ ...values, internalTls: { existingSecret: SECRET, mode } });
  for (const mode of MODES) await release.upgrade(withMode(mode));
  for (const [name, content] of Object.entries(first)) await runner.write(`${DIR}/${name}`, content);
  await describeSystem(namespace, release, runner, { rpcTls: { dir: DIR, mode: 'require' } });
  await applySecret(namespace, SECRET, renewed);
  await untilRenewed(namespace);
  return withMode('require');
}

/**
 * Has cert-manager make the certificate from now on, of the same CA, then renew it while requests run, and waits until every
 * pod has taken the new one.
 */
export async function renewByCertManager(
  namespace: Namespace,
  release: Release,
  runner: Runner,
  values: Values,
): Promise<string> {
  const { kubectl } = namespace;
  await kubectl(['get', 'crd', 'certificates.cert-manager.io']).catch(() => {
    throw new Skipped('the cluster has no cert-manager');
  });
  await namespace.apply({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Issuer',
    metadata: { name: CA },
    spec: { ca: { secretName: CA } },
  });
  const issuerRef = { name: CA, kind: 'Issuer', group: 'cert-manager.io' };
  return underLoad(runner, async () => {
    await release.upgrade({ ...values, internalTls: { certManager: { enabled: true, issuerRef } } });
    const [certificate = ''] = (await kubectl(['get', 'certificates', '--output', 'name'])).trim().split('\n');
    const issuing = { type: 'Issuing', status: 'True', reason: 'ManuallyTriggered', message: 'Renewed by a test' };
    const patch = JSON.stringify([{ op: 'add', path: '/status/conditions/-', value: issuing }]);
    await kubectl(['patch', certificate, '--subresource=status', '--type=json', '--patch', patch]);
    await untilRenewed(namespace);
  });
}

const applySecret = (namespace: Namespace, name: string, files: Files) =>
  namespace.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name },
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

/** Returns a CA and two certificates of it for these names. */
async function makeCertificates(names: readonly string[]): Promise<Record<'ca' | 'first' | 'renewed', Files>> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-tls-'));
  const read = (file: string) => readFile(join(dir, file), 'utf8');
  const make = async (name: string, by?: string): Promise<Files> => {
    await issue(dir, name, by === undefined ? {} : { by, names: names.map((name) => `DNS:${name}`).join() });
    return {
      'tls.crt': await read(`${name}.crt`),
      'tls.key': await read(`${name}.key`),
      'ca.crt': await read('ca.crt'),
    };
  };
  try {
    return { ca: await make('ca'), first: await make('first', 'ca'), renewed: await make('renewed', 'ca') };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
