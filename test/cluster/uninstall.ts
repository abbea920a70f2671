import { eventually, type Namespace } from './kubernetes.ts';
import type { Release } from './release.ts';

const GONE_WITHIN_MS = 120_000;
/** Data, and what opens it. */
const KEPT = ['persistentvolumeclaim/', 'secret/'];

/** Uninstalls; of all that carries the release's label only volumes and Secrets may be left. Gives what is left. */
export async function uninstall({ kubectl }: Namespace, release: Release): Promise<string> {
  await release.uninstall();
  const kinds = (await kubectl(['api-resources', '--namespaced', '--verbs=list', '--output=name'])).trim().split('\n');
  const labelled = async () => {
    // Helm 3 leaves the pod of `helm test` alone, for its log.
    const selector = `app.kubernetes.io/instance=${release.name},app.kubernetes.io/component!=test`;
    const wanted = kinds.filter((kind) => !/^events|metrics\.k8s\.io$/.test(kind)).join(',');
    const names = await kubectl(['get', wanted, '--selector', selector, '--output', 'name', '--ignore-not-found']);
    return names.split('\n').filter((name) => name !== '');
  };
  let left: string[] = [];
  await eventually('More is left than volumes and Secrets', GONE_WITHIN_MS, async () => {
    left = await labelled();
    return left.every((name) => KEPT.some((kind) => name.startsWith(kind)));
  }).catch((error) => {
    throw new Error(`${error.message}: ${left.join(', ')}`);
  });
  return `left: ${left.join(', ')}`;
}
