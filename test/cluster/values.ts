import type { Values } from './release.ts';

/** Stand-ins for servers whose images may not be available where the test runs; each has its own Dockerfile here. */
export const STAND_INS = ['mongodb', 'kafka', 'versitygw'] as const;

export interface ValueOptions {
  registry: string;
  tag: string;
  /** The only private address that may be crawled, except that of `helm test`. */
  siteIp: string;
  ingress: boolean;
  mail: Values;
}

/** The values with which the tests install the chart; all others are the defaults. */
export function valuesFor({ registry, tag, siteIp, ingress, mail }: ValueOptions): Values {
  const standIn = (name: (typeof STAND_INS)[number]) => `${registry}/parley-test-${name}:${tag}`;
  const persistence = { size: '1Gi' };
  return {
    image: { registry, tag },
    // A user id that no image has, as on OpenShift.
    runAs: 1_000_660_000,
    mongodb: { internal: { image: standIn('mongodb'), auth: { enabled: false }, persistence } },
    kafka: { internal: { image: standIn('kafka'), persistence } },
    objects: { internal: { image: standIn('versitygw'), persistence } },
    mail,
    crawl: { allow: `${siteIp}/32` },
    // Wherever the controller's pods are.
    ingress: { enabled: ingress, trustedProxies: '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16' },
    // The number of auth pods is left to an autoscaler.
    services: {
      auth: { replicas: null },
      // The conformance suite sends many wrong keys from one address.
      gateway: { env: { AUTH_FAILURES_PER_MINUTE: '0' } },
      // Three of them fit on a node of two cores.
      knowledge: { resources: { requests: { cpu: '100m' } } },
      trainer: { env: { CRAWL_DELAY_MS: '0' } },
      // Tickets stay as tests leave them.
      conversations: { env: { AI_QUIET_SECONDS: '3600' } },
    },
    test: { site: true },
  };
}
