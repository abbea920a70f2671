import { eventually, type Namespace } from './kubernetes.ts';
import type { Release } from './release.ts';

const GONE_WITHIN_MS = 120_000;
/** Data and its secrets. */
const KEPT = ['persistentvolumeclaim/', 'secret/'];

/** Uninstalls; of the objects with the release's label, only volumes and Secrets may remain. Returns those. */
export async function uninstall({ kubectl }: Namespace, release: Release): Promise<string> {
  await release.uninstall();
  const kinds = (await kubectl(['api-resources', '--namespaced', '--verbs=list', '--output=name'])).trim().split('\n');
  const labelled = async () => {
    // Helm 3 keeps the pod of `helm test` for its log.
    const selector = `app.kubernetes.io/instance=${release.name},app.kubernetes.io/component!=test`;
    const wanted = kinds.filter((kind) => !/^events|metrics\.k8s\.io$/.test(kind)).join(',');
    const names = await kubectl(['get', wanted, '--selector', selector, '--output', 'name', '--ignore-not-found']);
    return names.split('\n').filter((name) => name !== '');
  };
  let left: string[] = [];
  await eventually('Other objects than volumes and Secrets remain', GONE_WITHIN_MS, async () => {
    left = await labelled();
    return left.every((name) => KEPT.some((kind) => name.startsWith(kind)));
  }).catch((error) => {
    throw new Error(`${error.message}: ${left.join(', ')}`);
  });
  return `left: ${left.join(', ')}`;
}
