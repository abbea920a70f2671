import { expect, test } from '@jest/globals';
import { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { type Env, readEnv } from '@parley/runtime';
import { readConfig as readGatewayConfig } from '../../gateway/src/config.ts';
import { readConfig as readAssistantsConfig } from '../../services/assistants/src/config.ts';
import { readConfig as readAuthConfig } from '../../services/auth/src/config.ts';
import { readConfig as readConversationsConfig } from '../../services/conversations/src/config.ts';
import { readConfig as readKnowledgeConfig } from '../../services/knowledge/src/config.ts';
import { readConfig as readTrainerConfig } from '../../services/trainer/src/config.ts';
import {
  type Container,
  exampleFile,
  examples,
  type KubernetesObject,
  type PodSpec,
  render,
  secretOf,
  type Variable,
} from './chart.ts';

/** Each process, with the reader of its real configuration. */
const PROCESSES: Record<
  string,
  { readConfig: (env: Env) => unknown; service?: string; image?: Record<string, string> }
> = {
  gateway: { readConfig: readGatewayConfig },
  auth: { readConfig: readAuthConfig, service: AuthService.typeName },
  knowledge: { readConfig: readKnowledgeConfig, service: KnowledgeService.typeName, image: withModel() },
  assistants: { readConfig: readAssistantsConfig, service: AssistantsService.typeName },
  conversations: { readConfig: readConversationsConfig, service: ConversationsService.typeName },
  trainer: { readConfig: readTrainerConfig, image: withModel() },
};

/** What the image itself sets (deploy/Dockerfile). */
function withModel() {
  return { EMBEDDING_MODEL_DIR: '/app/model' };
}

const cases: [example: string, name: string, objects: KubernetesObject[]][] = [];
for (const example of examples) {
  const objects = await render(exampleFile(example));
  for (const name of Object.keys(PROCESSES)) cases.push([example, name, objects]);
}

function podOf(objects: KubernetesObject[], name: string): { pod: PodSpec; container: Container } {
  const [deployment] = objects.filter((o) => o.kind === 'Deployment' && o.metadata.name.endsWith(`parley-${name}`));
  const { spec: pod } = deployment!.spec!.template!;
  return { pod, container: pod.containers[0]! };
}

/** Long enough for a secret, and an address for whoever wants one. */
const OF_YOURS = 'mongodb://in.a.secret.of.yours:27017/';

/** The variables as the container gets them; of a Secret that is not the chart's, a value that would do. */
function variablesOf(objects: KubernetesObject[], { env = [] }: Container): Record<string, string> {
  const read = ({ value, valueFrom }: Variable): string => {
    const from = valueFrom?.secretKeyRef;
    const secret = from && secretOf(objects, from.name, from.key);
    return value ?? secret ?? (from?.optional ? '' : OF_YOURS);
  };
  return Object.fromEntries(env.map((variable) => [variable.name, read(variable)]));
}

/** Node's own variables, which no configuration reads. */
const OF_NODE = /^NODE_/;

test.each(cases)('%s: %s is told all that it requires, and nothing that it does not know', (_, name, objects) => {
  const { readConfig, image } = PROCESSES[name]!;
  const variables = variablesOf(objects, podOf(objects, name).container);
  const asked = new Set<string>();
  const recorded = new Proxy<Record<string, string>>(
    { ...image, ...variables },
    {
      get(target, variable: string) {
        asked.add(variable);
        return target[variable];
      },
    },
  );
  readConfig(readEnv(recorded));
  expect(Object.keys(variables).filter((variable) => !asked.has(variable) && !OF_NODE.test(variable))).toEqual([]);
});

test.each(cases)('%s: each address that %s is told leads to pods which listen there', (_, name, objects) => {
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
  const addresses = own.filter(({ variable }) => variable.endsWith('_ADDRESS'));
  expect(addresses).toHaveLength({ gateway: 4, assistants: 2 }[name] ?? 0);
});

const matches = (labels: Record<string, string> | undefined, selector: Record<string, unknown>) =>
  labels !== undefined && Object.entries(selector).every(([key, value]) => labels[key] === value);

test.each(cases)(
  '%s: %s is asked for its life at what it serves, and restarted for nothing else',
  (_, name, objects) => {
    const { service } = PROCESSES[name]!;
    const { startupProbe, readinessProbe, livenessProbe, ports } = podOf(objects, name).container;
    const { containerPort } = ports![0]!;
    if (service) {
      expect(startupProbe!.grpc).toEqual({ port: containerPort });
      expect(readinessProbe!.grpc).toEqual({ port: containerPort, service });
      expect(livenessProbe!.grpc).toEqual({ port: containerPort });
      // It waits for its stores by itself, before it listens.
      expect(startupProbe!.periodSeconds! * startupProbe!.failureThreshold!).toBeGreaterThanOrEqual(300);
    } else {
      expect(startupProbe!.httpGet).toEqual({ path: '/healthz', port: containerPort });
      expect(readinessProbe!.httpGet).toEqual({ path: '/readyz', port: containerPort });
      expect(livenessProbe!.httpGet).toEqual({ path: '/healthz', port: containerPort });
    }
  },
);

test.each(cases)('%s: %s is given the time to end the longest reply', (_, name, objects) => {
  const { pod, container } = podOf(objects, name);
  const variables = variablesOf(objects, container);
  const grace = Number(variables['GRACE_SECONDS']);
  const sleep = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  expect(grace).toBeGreaterThan(Number(variables['REPLY_TIMEOUT_SECONDS'] ?? 0));
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(sleep + grace);
});
