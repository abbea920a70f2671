export interface ClusterTestConfig {
  /** Where images are pushed to, and where the cluster pulls them from. */
  registry: string;
  /** Whether an Ingress controller is tested. */
  ingress: boolean;
  /** Where the controller answers, without `/v1`; absent: at the address that it gives the Ingress. */
  ingressUrl: string | undefined;
}

/** REGISTRY, INGRESS (`none`: there is no controller) and INGRESS_URL; the cluster is that of KUBECONFIG. */
export const readClusterTestConfig = ({ REGISTRY, INGRESS, INGRESS_URL } = process.env): ClusterTestConfig => ({
  registry: REGISTRY || 'localhost:5000',
  ingress: INGRESS !== 'none',
  ingressUrl: INGRESS_URL?.replace(/\/+$/, '') || undefined,
});
