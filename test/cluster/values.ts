import type { Values } from './release.ts';

/** The stand-ins for servers that may not be to be had where the test runs; each by its own Dockerfile here. */
export const STAND_INS = ['mongodb', 'kafka', 'versitygw'] as const;

export interface ValueOptions {
  registry: string;
  tag: string;
  /** The one private address that may be crawled, beside that of `helm test`. */
  siteIp: string;
  ingress: boolean;
}

/** What the tests install the chart with: everything else is as its users get it. */
export function valuesFor({ registry, tag, siteIp, ingress }: ValueOptions): Values {
  const standIn = (name: (typeof STAND_INS)[number]) => `${registry}/parley-test-${name}:${tag}`;
  const persistence = { size: '1Gi' };
  return {
    image: { registry, tag },
    mongodb: { internal: { image: standIn('mongodb'), auth: { enabled: false }, persistence } },
    kafka: { internal: { image: standIn('kafka'), persistence } },
    objects: { internal: { image: standIn('versitygw'), persistence } },
    crawl: { allow: `${siteIp}/32` },
    ingress: { enabled: ingress },
    services: { trainer: { env: { CRAWL_DELAY_MS: '0' } } },
    test: { site: true },
  };
}
