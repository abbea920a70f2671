import { eventually, isReady, type Namespace } from './kubernetes.ts';
import { underLoad } from './load.ts';
import type { Release, Values } from './release.ts';
import type { Runner } from './runner.ts';
import { Skipped } from './steps.ts';

const METRICS = '/apis/metrics.k8s.io/v1beta1/nodes';
const GROWN_WITHIN_MS = 180_000;
const SHRUNK_WITHIN_MS = 240_000;
/** Few enough requests for one pod, and enough to notice one that fails. */
const QUIET = { clients: 1, pauseMs: 500 };
/** Without the chart's pauses, which are right for replies that take long, and too long for a test. */
const AT_ONCE = { scaleUp: { stabilizationWindowSeconds: 0 }, scaleDown: { stabilizationWindowSeconds: 0 } };

/** Lets the chart scale the gateway, and waits until it has more pods under load, and one again afterwards. */
export async function growAndShrink(
  namespace: Namespace,
  release: Release,
  runner: Runner,
  values: Values,
): Promise<string> {
  const { kubectl, pods } = namespace;
  await kubectl(['get', '--raw', METRICS]).catch(() => {
    throw new Skipped('the cluster has no metrics-server');
  });
  const services = values['services'] as Record<string, object>;
  const autoscaling = { enabled: true, minReplicas: 1, maxReplicas: 3, behavior: AT_ONCE };
  const gateway = { ...services['gateway'], autoscaling };
  await release.upgrade({ ...values, services: { ...services, gateway } });
  const ready = async () => (await pods('gateway')).filter(isReady).length;
  let most = 0;
  let loaded = '';
  const began = performance.now();
  let grownMs = 0;
  const quiet = await underLoad(
    runner,
    async () => {
      loaded = await underLoad(runner, () =>
        eventually('The autoscaler added no gateway', GROWN_WITHIN_MS, async () => {
          most = Math.max(most, await ready());
          return most > 1;
        }),
      );
      grownMs = performance.now() - began;
      await eventually('The autoscaler removed no gateway', SHRUNK_WITHIN_MS, async () => {
        const now = await ready();
        most = Math.max(most, now);
        return now === 1;
      });
    },
    QUIET,
  );
  const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;
  const times = `in ${seconds(grownMs)}, and back to 1 in ${seconds(performance.now() - began - grownMs)}`;
  return `1 to ${most} gateways ${times}\nunder load: ${loaded}\nall the time: ${quiet}`;
}
