import type { StackDescription } from '../../deploy/stack/start-stack.ts';
import type { Namespace } from './kubernetes.ts';
import type { Release } from './release.ts';
import type { Runner } from './runner.ts';

/** Where the runner finds the system. */
export const STACK_FILE = '/tmp/stack.json';
const INGRESS_STACK_FILE = '/tmp/ingress.json';
const SUITE_WITHIN_MS = 15 * 60_000;
/** A model server on this pod's loopback, and processes of their own that ask it: no part of a cluster. */
const NOT_HERE = 'model\\.test\\.ts$';
const JEST = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--runInBand', '--silent', '--ci'];

/** Tells the runner where the system is: by its Services, and by the Ingress where there is one. */
export async function describeSystem(
  namespace: Namespace,
  release: Release,
  runner: Runner,
  ingressUrl: string | undefined,
): Promise<void> {
  const stack = await stackOf(namespace, release);
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
  const address = (service: string) => `${name}-${service}:50051`;
  const baseUrl = `http://${name}-gateway`;
  return {
    baseUrl,
    secret: await secret(name, 'parley-secret'),
    endpoints: {
      pid: 0,
      gateway: `${baseUrl}/v1`,
      auth: address('auth'),
      knowledge: address('knowledge'),
      assistants: address('assistants'),
      conversations: address('conversations'),
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

/** Runs the end-to-end tests in the runner, and gives their count. */
export async function runSuite(runner: Runner, through: 'service' | 'ingress'): Promise<string> {
  const variables = {
    PARLEY_STACK: through === 'service' ? STACK_FILE : INGRESS_STACK_FILE,
    // Jest would begin with an engine of its own.
    TEST_MONGODB_URI: 'mongodb://unused.invalid',
    NODE_NO_WARNINGS: '1',
  };
  let report = '';
  const suite = runner.node([...JEST, 'test/e2e/', `--testPathIgnorePatterns=${NOT_HERE}`], variables, {
    timeoutMs: SUITE_WITHIN_MS,
    onOutput: (text) => {
      report += text;
    },
  });
  await suite.end();
  return report
    .split('\n')
    .filter((line) => /^Tests?( Suites)?:/.test(line))
    .join('\n');
}
