import { growAndShrink } from './autoscaled.ts';
import { refuseAnotherSize, upgradeBesideAutoscaler } from './changed-values.ts';
import type { ClusterTestConfig } from './config.ts';
import { pushChart, pushImages } from './images.ts';
import { hasDefaultIngressClass, ingressUrlOf } from './ingress.ts';
import { renewByCertManager, turnOnTls } from './internal-tls.ts';
import { killTrainerInMidTraining } from './killed-trainer.ts';
import type { Namespace } from './kubernetes.ts';
import { underLoad } from './load.ts';
import { mailInAndOut, mailValues } from './mail.ts';
import { memoryOfPods } from './memory.ts';
import { whileTrainingsPublish } from './published.ts';
import type { Release, Values } from './release.ts';
import { drainTwice, spread } from './replicas.ts';
import { restartNode } from './restarted-node.ts';
import { type Runner, startRunner } from './runner.ts';
import type { Step } from './steps.ts';
import { describeSystem, runSuite } from './suite.ts';
import { serveTogether } from './two-releases.ts';
import { installUmbrella } from './umbrella.ts';
import { uninstall } from './uninstall.ts';
import { valuesFor } from './values.ts';

export interface ClusterTest {
  config: ClusterTestConfig;
  namespace: Namespace;
  release: Release;
  tag: string;
}

/** All steps of the cluster test, in order: each leaves the system in the state that the next one needs. */
export function clusterSteps({ config, namespace, release, tag }: ClusterTest): Step[] {
  const { registry } = config;
  let runner: Runner;
  let values: Values;
  let ingress = false;
  return [
    {
      name: 'build and push the images',
      essential: true,
      run: () => pushImages(registry, tag),
    },
    {
      name: 'create a namespace with restricted Pod Security, and the pod that runs the tests',
      essential: true,
      async run() {
        const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
        await namespace.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace.name, labels } });
        runner = await startRunner(namespace, `${registry}/parley-test:${tag}`);
      },
    },
    {
      name: 'helm install --wait, of the chart in the registry',
      essential: true,
      async run() {
        ingress = config.ingress && (await hasDefaultIngressClass(namespace));
        const mail = await mailValues(namespace, runner);
        values = valuesFor({ registry, tag, siteIp: runner.ip, ingress, mail });
        await release.install(values, await pushChart(registry));
        const url = ingress ? (config.ingressUrl ?? (await ingressUrlOf(namespace, release))) : undefined;
        await describeSystem(namespace, release, runner, { ingressUrl: url });
      },
    },
    {
      name: `${config.conformance ? 'the conformance suite and ' : ''}the end-to-end tests through the Service of the gateway`,
      run: () => runSuite(runner, 'service', config),
    },
    ...(config.ingress
      ? [
          {
            name: 'what an Ingress may change, through its controller',
            async run() {
              if (!ingress) throw new Error('There is no default IngressClass. To skip these tests, set INGRESS=none.');
              return runSuite(runner, 'ingress', { conformance: false });
            },
          },
        ]
      : []),
    { name: 'a mail comes in, and its answer goes out', run: () => mailInAndOut(release, runner) },
    { name: 'helm test', run: () => release.test() },
    { name: 'the memory of each pod', run: () => memoryOfPods(namespace) },
    {
      name: 'helm upgrade with a changed value while requests run, beside an autoscaler',
      run: () => underLoad(runner, () => upgradeBesideAutoscaler(namespace, release, values)),
    },
    {
      name: 'helm upgrade with a changed volume size is refused with a clear message',
      run: () => refuseAnotherSize(release, values),
    },
    {
      name: 'install a parent chart with its own Secret and Parley under an alias',
      run: () => installUmbrella(namespace),
    },
    { name: 'helm rollback while requests run', run: () => underLoad(runner, () => release.rollback(1)) },
    {
      name: 'have pods speak TLS with each other, and renew their certificate, while requests run',
      run: () =>
        underLoad(runner, async () => {
          values = await turnOnTls(namespace, release, runner, values);
        }),
    },
    {
      name: 'cert-manager makes the certificate of pods, and renews it, while requests run',
      async run() {
        const load = await renewByCertManager(namespace, release, runner, values);
        await release.upgrade(values);
        return load;
      },
    },
    {
      name: 'an autoscaler adds gateways under load and removes them again, and no request fails',
      run: () => growAndShrink(namespace, release, runner, values),
    },
    {
      name: 'a restart of the node loses nothing that was acknowledged, and all pods become ready by themselves',
      run: () => restartNode(namespace, runner, `${registry}/parley-test:${tag}`),
    },
    {
      name: 'several pods of each service share the calls',
      async run() {
        let shares = '';
        const load = await underLoad(runner, async () => {
          shares = await spread(namespace, release, runner, values);
        });
        return `${shares}\n${load}`;
      },
    },
    {
      name: 'drain two nodes, each with a pod of every service but the trainer, while requests run',
      run: () => underLoad(runner, () => drainTwice(namespace)),
    },
    {
      name: 'kill one of three knowledge pods while trainings publish, until another has replaced it',
      run: () => whileTrainingsPublish(namespace, runner),
    },
    { name: 'kill the trainer during a training', run: () => killTrainerInMidTraining(namespace, runner) },
    { name: 'helm uninstall keeps volumes and Secrets', run: () => uninstall(namespace, release) },
    {
      name: 'the previous release and this one serve together, and back, and no request fails',
      run: () => serveTogether(config, release, tag),
    },
  ];
}
