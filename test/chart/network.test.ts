import { expect, test } from '@jest/globals';
import { factsOf, PROCESS_NAMES } from '../../deploy/processes.ts';
import { exampleFile, type KubernetesObject, render, values } from './chart.ts';

type Labels = Record<string, string>;
interface Peer {
  podSelector?: { matchLabels: Labels };
  namespaceSelector?: object;
  ipBlock?: { cidr: string; except?: string[] };
}
interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: number; protocol?: string }[];
}
interface Policy {
  podSelector: { matchLabels: Labels };
  ingress?: Rule[];
  egress?: Rule[];
}

const STORE_PORTS: Record<string, number> = { mongodb: 27017, kafka: 9092, objects: 7070 };
const STORE_VARIABLES: Record<string, string> = {
  mongodb: 'MONGODB_URI',
  kafka: 'KAFKA_BROKERS',
  objects: 'MINIO_ENDPOINT',
};
const ON = values({
  'networkPolicy.enabled': true,
  'mail.domain': 'm.example.com',
  'mail.smtp.existingSecret': 'smtp',
});
const objects = await render(ON);
const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as unknown as Policy);
const labelsOf = (component: string): Labels => ({
  'app.kubernetes.io/name': 'parley',
  'app.kubernetes.io/instance': 'parley',
  'app.kubernetes.io/component': component,
});
const selects = (wanted: Labels, labels: Labels) =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);

/** Evaluates the policies of one direction as Kubernetes does: a pod that any selects is reached by what one of them allows. */
function allowed(direction: 'ingress' | 'egress', pod: string, peer: string | 'outside', port: number): boolean {
  const rules = policies.filter(({ podSelector }) => selects(podSelector.matchLabels, labelsOf(pod)));
  const fits = (rule: Rule) => {
    const peers = direction === 'ingress' ? rule.from : rule.to;
    const toPort = !rule.ports || rule.ports.some((each) => each.port === port);
    // Only pods are peers here: an address such as 10.1.2.3 is none.
    const toPeer = !peers || peers.some((each) => peer !== 'outside' && isPod(each, peer));
    return toPort && toPeer;
  };
  return rules.some((policy) => policy[direction]?.some(fits));
}
const isPod = ({ podSelector }: Peer, peer: string) =>
  podSelector !== undefined && selects(podSelector.matchLabels, labelsOf(peer));
const flows = (from: string, to: string, port: number) =>
  allowed('egress', from, to, port) && allowed('ingress', to, from, port);

/** The stores whose address a process is given. */
const storesOf = (name: string): string[] => {
  const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === `parley-${name}`)!;
  const variables = deployment.spec!.template!.spec.containers[0]!.env!.map((variable) => variable.name);
  return Object.keys(STORE_PORTS).filter((store) => variables.includes(STORE_VARIABLES[store]!));
};

test('a process reaches the services that it calls and the stores that it uses, and no others', () => {
  for (const name of PROCESS_NAMES) {
    const { calls, asks = [], operates = [] } = factsOf(name);
    const callable = PROCESS_NAMES.filter((other) => other !== name && flows(name, other, 50051));
    expect({ name, callable: callable.sort() }).toEqual({
      name,
      callable: [...new Set([...calls, ...asks, ...operates])].sort(),
    });
    const reachable = Object.entries(STORE_PORTS).filter(([store, port]) => flows(name, store, port));
    expect({ name, stores: reachable.map(([store]) => store) }).toEqual({ name, stores: storesOf(name) });
  }
});

test('the gateway and SMTP are open to everyone, RPCs and metrics to nobody outside', () => {
  for (const name of PROCESS_NAMES) {
    expect({ name, http: allowed('ingress', name, 'outside', 8080) }).toEqual({ name, http: name === 'gateway' });
    expect({ name, smtp: allowed('ingress', name, 'outside', 2525) }).toEqual({ name, smtp: name === 'mail' });
    for (const port of [50051, 9090]) expect(allowed('ingress', name, 'outside', port)).toBe(false);
  }
});

test('a pod of the release that no policy names reaches nothing and is reached by nobody', () => {
  for (const name of PROCESS_NAMES) {
    expect(flows(name, 'stranger', 50051)).toBe(false);
    expect(flows('stranger', name, 50051)).toBe(false);
  }
  expect(allowed('egress', 'stranger', 'outside', 53)).toBe(false);
});

test('the trainer and the events service, which posts to webhooks, reach public addresses only, and no other process reaches any', () => {
  const blocks = (name: string) =>
    policies
      .filter(({ podSelector }) => podSelector.matchLabels['app.kubernetes.io/component'] === name)
      .flatMap(({ egress = [] }) => egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])));
  expect(blocks('events')).toEqual(blocks('trainer'));
  const [four, six] = blocks('trainer');
  expect(four).toMatchObject({ cidr: '0.0.0.0/0' });
  expect(four!.except).toEqual(
    expect.arrayContaining([
      '10.0.0.0/8',
      '100.64.0.0/10',
      '127.0.0.0/8',
      '169.254.0.0/16',
      '172.16.0.0/12',
      '192.168.0.0/16',
    ]),
  );
  expect(six!.except).toEqual(expect.arrayContaining(['fc00::/7', 'fe80::/10']));
  // Mail goes to a server of the owner's, wherever that is.
  for (const name of PROCESS_NAMES.filter((each) => !['trainer', 'events', 'mail'].includes(each))) {
    expect({ name, blocks: blocks(name), any: allowed('egress', name, 'outside', 443) }).toEqual({
      name,
      blocks: [],
      any: false,
    });
  }
});

test('with servers of one’s own, services reach those named, and clients and scrapers come from where the values say', async () => {
  const own = (await render(exampleFile('ha.yaml'))).filter(({ kind }) => kind === 'NetworkPolicy');
  const policyOf = (name: string) =>
    own.find(({ metadata }: KubernetesObject) => metadata.name === `parley-${name}`)!.spec as unknown as Policy;
  expect(policyOf('conversations').egress).toContainEqual({ to: [{ ipBlock: { cidr: '10.20.0.0/16' } }] });
  const [metrics, clients] = policyOf('gateway').ingress!;
  expect(metrics).toMatchObject({
    ports: [{ port: 9090 }],
    from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
  });
  expect(clients!.ports).toEqual([{ port: 8080 }]);
  expect(clients!.from).toHaveLength(2);
});
