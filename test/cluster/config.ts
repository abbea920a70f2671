export interface ClusterTestConfig {
  /** Where images are pushed to, and where the cluster pulls them from. */
  registry: string;
  /** True if an Ingress controller is tested. */
  ingress: boolean;
  /** URL of the controller, without `/v1`; undefined to use the address that it assigns to the Ingress. */
  ingressUrl: string | undefined;
  /** True if the conformance suite runs, which takes minutes. */
  conformance: boolean;
  /** Selects steps by their names; those that others need run in any case. */
  steps: RegExp;
  /** The release to upgrade from, as git names it; undefined for the newest tag. */
  previous: string | undefined;
}

/**
 * Reads REGISTRY, INGRESS (`none` if there is no controller), INGRESS_URL, CONFORMANCE (`none` to leave it out), STEPS (a regular
 * expression) and PREVIOUS; the cluster is that of KUBECONFIG.
 */
export const readClusterTestConfig = (
  { REGISTRY, INGRESS, INGRESS_URL, CONFORMANCE, STEPS, PREVIOUS } = process.env,
): ClusterTestConfig => ({
  registry: REGISTRY || 'localhost:5000',
  ingress: INGRESS !== 'none',
  ingressUrl: INGRESS_URL?.replace(/\/+$/, '') || undefined,
  conformance: CONFORMANCE !== 'none',
  steps: new RegExp(STEPS ?? '', 'i'),
  previous: PREVIOUS || undefined,
});
