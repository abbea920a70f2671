export interface ClusterTestConfig {
  /** Where images are pushed to, and where the cluster pulls them from. */
  registry: string;
  /** True if an Ingress controller is tested. */
  ingress: boolean;
  /** URL of the controller, without `/v1`; undefined to use the address that it assigns to the Ingress. */
  ingressUrl: string | undefined;
  /** True if the conformance suite runs, which takes minutes. */
  conformance: boolean;
}

/**
 * Reads REGISTRY, INGRESS (`none` if there is no controller), INGRESS_URL and CONFORMANCE (`none` to leave it out); the cluster
 * is that of KUBECONFIG.
 */
export const readClusterTestConfig = (
  { REGISTRY, INGRESS, INGRESS_URL, CONFORMANCE } = process.env,
): ClusterTestConfig => ({
  registry: REGISTRY || 'localhost:5000',
  ingress: INGRESS !== 'none',
  ingressUrl: INGRESS_URL?.replace(/\/+$/, '') || undefined,
  conformance: CONFORMANCE !== 'none',
});
