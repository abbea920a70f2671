import { expect, test } from '@jest/globals';
import { PROCESS_NAMES } from '../../deploy/processes.ts';
import { exampleFile, type KubernetesObject, objectOf, render, values } from './chart.ts';

const plain = await render();
const ha = await render(exampleFile('ha.yaml'));
const namesOf = (objects: KubernetesObject[], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name.replace('parley-', ''));
const specOf = (objects: KubernetesObject[], kind: string, name: string) =>
  objectOf(objects, kind, name).spec as Record<string, unknown>;

test('a service of two pods or more loses one of them at a time to a drained node; a single one does not hold up a drain', () => {
  expect(namesOf(plain, 'PodDisruptionBudget')).toEqual([]);
  expect(namesOf(ha, 'PodDisruptionBudget').sort()).toEqual([...PROCESS_NAMES].sort());
  const { selector, ...budget } = specOf(ha, 'PodDisruptionBudget', 'parley-auth');
  expect(budget).toEqual({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  expect(selector).toEqual({
    matchLabels: specOf(ha, 'Deployment', 'parley-auth')['selector']!['matchLabels' as never],
  });
});

test('pods spread over nodes and zones where that is possible, unless the values say how', async () => {
  const spreadOf = (objects: KubernetesObject[], name: string) =>
    (
      specOf(objects, 'Deployment', `parley-${name}`) as {
        template: { spec: { topologySpreadConstraints: unknown[] } };
      }
    ).template.spec.topologySpreadConstraints;
  expect(spreadOf(plain, 'auth')).toMatchObject([
    {
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      matchLabelKeys: ['pod-template-hash'],
    },
    { topologyKey: 'topology.kubernetes.io/zone' },
  ]);
  const own = [{ maxSkew: 2, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} }];
  expect(spreadOf(await render(values({ 'services.auth.topologySpreadConstraints': own })), 'auth')).toEqual(own);
});

test('an autoscaled service leaves the number of its pods to its autoscaler, which adds them at once and removes them slowly', () => {
  expect(namesOf(ha, 'HorizontalPodAutoscaler').sort()).toEqual(['assistants', 'gateway', 'knowledge']);
  expect(specOf(ha, 'Deployment', 'parley-gateway')).not.toHaveProperty('replicas');
  expect(specOf(ha, 'HorizontalPodAutoscaler', 'parley-gateway')).toMatchObject({
    scaleTargetRef: { kind: 'Deployment', name: 'parley-gateway' },
    minReplicas: 2,
    maxReplicas: 8,
    metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 70 } } }],
    behavior: { scaleUp: { stabilizationWindowSeconds: 0 }, scaleDown: { policies: [{ type: 'Pods', value: 1 }] } },
  });
});

test('trainers are scaled by the trainings that wait or run', () => {
  const { triggers, ...scaled } = specOf(ha, 'ScaledObject', 'parley-trainer');
  expect(scaled).toMatchObject({ scaleTargetRef: { name: 'parley-trainer' }, minReplicaCount: 2, maxReplicaCount: 10 });
  expect(triggers).toMatchObject([
    {
      type: 'mongodb',
      metadata: { connectionStringFromEnv: 'MONGODB_URI', dbName: 'parley_corpus', queryValue: '2' },
    },
  ]);
});

test('each knob of a pod reaches it', async () => {
  const given = {
    extraVolumes: [{ name: 'scratch', emptyDir: {} }],
    extraVolumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
    envFrom: [{ secretRef: { name: 'more' } }],
    initContainers: [{ name: 'wait', image: 'busybox:1' }],
    priorityClassName: 'high',
    strategy: { type: 'Recreate' },
    probes: { startup: { failureThreshold: 120 }, readiness: { periodSeconds: 1 }, liveness: { timeoutSeconds: 9 } },
    serviceAnnotations: { mesh: 'on' },
  };
  const options = Object.fromEntries(Object.entries(given).map(([key, value]) => [`services.auth.${key}`, value]));
  const objects = await render(values(options));
  const { strategy, template } = specOf(objects, 'Deployment', 'parley-auth') as never as {
    strategy: unknown;
    template: { spec: Record<string, unknown> & { containers: Record<string, unknown>[]; volumes: unknown[] } };
  };
  const { initContainers, priorityClassName, volumes, containers } = template.spec;
  expect({ strategy, initContainers, priorityClassName }).toEqual({
    ...{ strategy: given.strategy, initContainers: given.initContainers, priorityClassName: 'high' },
  });
  expect(volumes).toContainEqual(given.extraVolumes[0]);
  expect(containers[0]).toMatchObject({
    envFrom: given.envFrom,
    volumeMounts: expect.arrayContaining(given.extraVolumeMounts),
    startupProbe: { failureThreshold: 120, periodSeconds: 2 },
    readinessProbe: { periodSeconds: 1, failureThreshold: 3 },
    livenessProbe: { timeoutSeconds: 9, periodSeconds: 10 },
  });
  expect(objectOf(objects, 'Service', 'parley-auth').metadata.annotations).toEqual({ mesh: 'on' });
});
