import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { type Env, readEnv } from '@parley/runtime';
import { parse } from 'yaml';
import { factsOf, folderOf, PROCESS_NAMES, type ProcessName } from '../../deploy/processes.ts';
import {
  CHART,
  type Container,
  exampleFile,
  examples,
  type KubernetesObject,
  type PodSpec,
  render,
  secretOf,
  type Variable,
} from './chart.ts';

/** Variables that the image itself sets (deploy/Dockerfile). */
const imageVariables = (name: ProcessName): Record<string, string> =>
  factsOf(name).model ? { EMBEDDING_MODEL_DIR: '/app/model' } : {};

/** The real configuration readers of a process, and of the operator's program in its image. */
async function configReaderOf(name: ProcessName): Promise<(env: Env) => unknown> {
  const { readConfig, readOperatorConfig } = await import(`../../${folderOf(name)}/src/config.ts`);
  return (env) => [readConfig(env), readOperatorConfig?.(env).data()];
}

const rendered: [example: string, objects: KubernetesObject[]][] = [];
for (const example of examples) rendered.push([example, await render(exampleFile(example))]);

/** The processes of an installation; some run only where its values ask for them. */
const running = (objects: KubernetesObject[]) =>
  PROCESS_NAMES.filter((name) => factsOf(name).needs === undefined || deploymentOf(objects, name) !== undefined);
const cases = rendered.flatMap(([example, objects]) =>
  running(objects).map((name) => [example, name, objects] as const),
);

test.each(rendered)('%s: the chart runs every process, and no others', (_, objects) => {
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  const names = deployments.map(({ spec }) => spec!.template!.spec.containers[0]!.name);
  expect(names.sort()).toEqual(running(objects).sort());
});

test('mail runs where it has a domain', () => {
  const withMail = rendered.filter(([, objects]) => running(objects).includes('mail')).map(([example]) => example);
  expect(withMail.map((example) => example.replace('.yaml', '')).sort()).toEqual(['everything', 'ha', 'production']);
});

test('every process has values, with a schema', async () => {
  const { services } = parse(await readFile(`${CHART}/values.yaml`, 'utf8'));
  const schema = JSON.parse(await readFile(`${CHART}/values.schema.json`, 'utf8'));
  expect(Object.keys(services).sort()).toEqual([...PROCESS_NAMES].sort());
  expect(Object.keys(schema.properties.services.properties).sort()).toEqual([...PROCESS_NAMES].sort());
});

function deploymentOf(objects: KubernetesObject[], name: string): KubernetesObject | undefined {
  return objects.find((o) => o.kind === 'Deployment' && o.metadata.name.endsWith(`parley-${name}`));
}

function podOf(objects: KubernetesObject[], name: string): { pod: PodSpec; container: Container } {
  const { spec: pod } = deploymentOf(objects, name)!.spec!.template!;
  return { pod, container: pod.containers[0]! };
}

/** Long enough for a secret, and valid as an address. */
const OF_YOURS = 'mongodb://in.a.secret.of.yours:27017/';
const SMTP_OF_YOURS = 'smtps://user:password@smtp.of.yours:465';

/** The variables as the container gets them; those from a Secret that is not the chart's get a valid value. */
function variablesOf(objects: KubernetesObject[], { env = [] }: Container): Record<string, string> {
  const read = ({ name, value, valueFrom }: Variable): string => {
    const from = valueFrom?.secretKeyRef;
    const secret = from && secretOf(objects, from.name, from.key);
    return value ?? secret ?? (from?.optional ? '' : name === 'SMTP_URL' ? SMTP_OF_YOURS : OF_YOURS);
  };
  return Object.fromEntries(env.map((variable) => [variable.name, read(variable)]));
}

/** Read by Node itself or by OpenTelemetry, not by any configuration. */
const OF_NODE = /^(NODE_|OTEL_|TZ$)/;

test.each(cases)(
  '%s: %s gets every variable that it requires, and none that it does not read',
  async (_, name, objects) => {
    const readConfig = await configReaderOf(name);
    const variables = variablesOf(objects, podOf(objects, name).container);
    const asked = new Set<string>();
    const recorded = new Proxy<Record<string, string>>(
      { ...imageVariables(name), ...variables },
      {
        get(target, variable: string) {
          asked.add(variable);
          return target[variable];
        },
      },
    );
    readConfig(readEnv(recorded));
    const unread = Object.keys(variables).filter((variable) => !asked.has(variable) && !OF_NODE.test(variable));
    expect(unread).toEqual([]);
  },
);

test.each(cases)('%s: each address that %s gets leads to pods that listen there', (_, name, objects) => {
  const variables = variablesOf(objects, podOf(objects, name).container);
  const own = Object.entries(variables).flatMap(([variable, value]) => {
    const [, host, port] = /^(?:http:\/\/|mongodb:\/\/(?:[^@]*@)?)?([a-z-]*parley-[a-z]+):(\d+)/.exec(value) ?? [];
    return host ? [{ variable, host, port: Number(port) }] : [];
  });
  for (const { variable, host, port } of own) {
    const [service] = objects.filter((object) => object.kind === 'Service' && object.metadata.name === host);
    const entry = service?.spec?.ports?.find((each) => each.port === port);
    expect({ variable, service: host, entry }).toMatchObject({ entry: { port } });
    const targets = objects.filter(({ spec }) => matches(spec?.template?.metadata.labels, service!.spec!.selector!));
    const ports = targets.flatMap(({ spec }) => spec!.template!.spec.containers[0]!.ports!);
    expect(ports).toContainEqual({ name: entry!.targetPort, containerPort: port });
  }
  const addresses = own.map(({ variable }) => variable).filter((variable) => variable.endsWith('_ADDRESS'));
  const { calls, asks = [], operates = [] } = factsOf(name);
  expect(addresses.sort()).toEqual(
    [...calls, ...asks, ...operates].map((called) => `${called.toUpperCase()}_ADDRESS`).sort(),
  );
});

const matches = (labels: Record<string, string> | undefined, selector: Record<string, unknown>) =>
  labels !== undefined && Object.entries(selector).every(([key, value]) => labels[key] === value);

test.each(cases)(
  '%s: %s is probed where it serves, and restarted only when it no longer responds',
  (_, name, objects) => {
    const { rpc: service } = factsOf(name);
    const { container } = podOf(objects, name);
    const { startupProbe, readinessProbe, livenessProbe } = container;
    const port = portOf(container, name === 'gateway' ? 'http' : 'ops');
    // It responds before the stores do: a start may wait for them, or migrate them, for as long as that takes.
    expect(startupProbe!.httpGet).toMatchObject({ path: '/healthz', port });
    expect(livenessProbe!.httpGet).toMatchObject({ path: '/healthz', port });
    // Kubernetes can't probe gRPC over TLS.
    const encrypted = container.env!.some((variable) => variable.name === 'RPC_TLS_DIR');
    if (service && encrypted) expect(readinessProbe!.httpGet).toEqual({ path: '/readyz/tls', port });
    else if (service) expect(readinessProbe!.grpc).toEqual({ port: portOf(container, 'grpc'), service });
    else expect(readinessProbe!.httpGet).toMatchObject({ path: '/readyz', port });
  },
);

const portOf = ({ ports }: Container, named: string) => ports!.find(({ name }) => name === named)?.containerPort;

test.each(cases)('%s: the metrics of %s are scraped at its operations port', (_, name, objects) => {
  const { container } = podOf(objects, name);
  const { annotations } = deploymentOf(objects, name)!.spec!.template!.metadata;
  const port = portOf(container, 'ops');
  expect(annotations!['prometheus.io/port']).toBe(`${port}`);
  expect(variablesOf(objects, container)['OPS_PORT']).toBe(`${port}`);
  const services = objects.filter(({ kind }) => kind === 'Service').flatMap(({ spec }) => spec!.ports!);
  expect(services.map(({ targetPort }) => targetPort)).not.toContain('ops');
});

test.each(cases)('%s: %s has the time to finish the longest reply', (_, name, objects) => {
  const { pod, container } = podOf(objects, name);
  const variables = variablesOf(objects, container);
  const grace = Number(variables['GRACE_SECONDS']);
  const sleep = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  expect(grace).toBeGreaterThan(Number(variables['REPLY_TIMEOUT_SECONDS'] ?? 0));
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(sleep + grace);
});
