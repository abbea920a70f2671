import type { RpcTlsConfig } from '@parley/runtime/rpc';
import { forEachRpc } from '../../deploy/processes.ts';
import type { StackDescription } from '../../deploy/stack/start-stack.ts';
import type { Namespace } from './kubernetes.ts';
import type { Release } from './release.ts';
import type { Runner } from './runner.ts';

/** Path in the runner of the file that describes the system. */
export const STACK_FILE = '/tmp/stack.json';
const INGRESS_STACK_FILE = '/tmp/ingress.json';
const SUITE_WITHIN_MS = 25 * 60_000;
const E2E = 'test/e2e/';
/** Tests of all that an Ingress may change: addresses, methods, headers, the size of bodies, long replies. The rest has passed before it. */
const OF_INGRESS = `${E2E}(assistants|conversation|documents|keys|tickets)\\.test`;
/** Tests of what every release can do. */
export const OF_EVERY_RELEASE = `${E2E}(assistants|conversation|documents|faq)\\.test`;
const CONFORMANCE = 'test/conformance/contract';
/**
 * Excluded: tests whose system must accept addresses on loopback, of a model server or of websites, or have settings of its
 * own. They have passed on real servers.
 */
const NOT_HERE = '((mail|model|random-requests|tracing|usage|visitors)|\\.stack)\\.test\\.ts$';
/** A file that fails while it starts may leave servers open, for which Jest would wait forever. */
const JEST = ['node_modules/jest/bin/jest.js', '--runInBand', '--silent', '--ci', '--forceExit'];

/**
 * Writes files that tell the runner how to reach the system: through its Services and, if there is one, the Ingress; over TLS, if
 * pods speak it.
 */
export async function describeSystem(
  namespace: Namespace,
  release: Release,
  runner: Runner,
  { ingressUrl, rpcTls }: { ingressUrl?: string | undefined; rpcTls?: RpcTlsConfig } = {},
): Promise<void> {
  const plain = await stackOf(namespace, release);
  const stack = { ...plain, endpoints: { ...plain.endpoints, ...(rpcTls && { rpcTls }) } };
  await runner.write(STACK_FILE, JSON.stringify(stack));
  if (!ingressUrl) return;
  const endpoints = { ...stack.endpoints, gateway: `${ingressUrl}/v1` };
  await runner.write(INGRESS_STACK_FILE, JSON.stringify({ ...stack, baseUrl: ingressUrl, endpoints }));
}

async function stackOf({ kubectl }: Namespace, { name }: Release): Promise<StackDescription> {
  const secret = async (secret: string, key: string) => {
    const { data } = JSON.parse(await kubectl(['get', 'secret', secret, '--output', 'json']));
    return Buffer.from(data[key], 'base64').toString();
  };
  const baseUrl = `http://${name}-gateway`;
  return {
    baseUrl,
    secret: await secret(name, 'parley-secret'),
    endpoints: {
      pid: 0,
      gateway: `${baseUrl}/v1`,
      ...forEachRpc((service) => `${name}-${service}:50051`),
      bus: { kafka: { brokers: [`${name}-kafka:9092`], clientId: 'tests' } },
      databases: {},
    },
    variables: {
      MONGODB_URI: `mongodb://${name}-mongodb:27017/?w=1&journal=true`,
      KAFKA_BROKERS: `${name}-kafka:9092`,
      MINIO_ENDPOINT: `http://${name}-objects:7070`,
      MINIO_ACCESS_KEY: await secret(`${name}-objects`, 'access-key'),
      MINIO_SECRET_KEY: await secret(`${name}-objects`, 'secret-key'),
    },
  };
}

/** Runs the end-to-end tests, and the conformance suite if requested, in the runner and returns their summary. */
export async function runSuite(
  runner: Runner,
  through: 'service' | 'ingress',
  { conformance, tests = through === 'service' ? E2E : OF_INGRESS }: { conformance: boolean; tests?: string },
): Promise<string> {
  const variables = {
    PARLEY_STACK: through === 'service' ? STACK_FILE : INGRESS_STACK_FILE,
    // Without this, Jest would start its own engine.
    TEST_MONGODB_URI: 'mongodb://unused.invalid',
    NODE_NO_WARNINGS: '1',
  };
  let report = '';
  const suite = runner.node(
    [...JEST, tests, ...(conformance ? [CONFORMANCE] : []), `--testPathIgnorePatterns=${NOT_HERE}`],
    variables,
    {
      timeoutMs: SUITE_WITHIN_MS,
      onOutput: (text) => {
        report += text;
      },
    },
  );
  await suite.end();
  return report
    .split('\n')
    .filter((line) => /^Tests?( Suites)?:/.test(line))
    .join('\n');
}
