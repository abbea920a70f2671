import type { Namespace } from './kubernetes.ts';
import type { Release, Values } from './release.ts';

const SCALED = 2;

/** Upgrades with a changed value while something else has scaled auth; the upgrade must keep that number of pods. */
export async function upgradeBesideAutoscaler(namespace: Namespace, release: Release, values: Values): Promise<void> {
  const auth = `deployment/${release.name}-auth`;
  await namespace.kubectl(['scale', auth, `--replicas=${SCALED}`]);
  await release.upgrade({ ...values, logLevel: 'warn' });
  const replicas = await namespace.kubectl(['get', auth, '--output', 'jsonpath={.spec.replicas}']);
  if (replicas !== `${SCALED}`) throw new Error(`The upgrade set the replicas of auth to ${replicas}.`);
}

/** Expects our message: that of Kubernetes would name a field of a StatefulSet, but no remedy. */
export async function refuseAnotherSize(release: Release, values: Values): Promise<void> {
  const { kafka } = values as { kafka: { internal: object } };
  const larger = { ...values, kafka: { internal: { ...kafka.internal, persistence: { size: '2Gi' } } } };
  const message = await release.upgrade(larger).then(
    () => 'The upgrade was accepted.',
    ({ message }: Error) => message,
  );
  if (!message.includes('The volume of kafka has 1Gi, and Kubernetes does not let an upgrade change that.'))
    throw new Error(message);
}
