import { eventually, type Namespace } from './kubernetes.ts';
import type { Release } from './release.ts';

const ADDRESS_WITHIN_MS = 60_000;
const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';

/** Returns whether an Ingress without a class gets a controller. */
export async function hasDefaultIngressClass({ kubectl }: Namespace): Promise<boolean> {
  const { items } = JSON.parse(await kubectl(['get', 'ingressclasses', '--output', 'json']));
  return (items as { metadata: { annotations?: Record<string, string> } }[]).some(
    ({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true',
  );
}

/** Waits for the controller to assign an address to the release's Ingress, and returns its URL. */
export async function ingressUrlOf({ kubectl }: Namespace, { name }: Release): Promise<string> {
  let host = '';
  await eventually('The Ingress got no address; set INGRESS_URL', ADDRESS_WITHIN_MS, async () => {
    const { status } = JSON.parse(await kubectl(['get', 'ingress', name, '--output', 'json']));
    const [given] = (status.loadBalancer?.ingress ?? []) as { ip?: string; hostname?: string }[];
    host = given?.ip ?? given?.hostname ?? '';
    return host !== '';
  });
  return `http://${host}`;
}
