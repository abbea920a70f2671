import { expect, test } from '@jest/globals';
import { misspelt } from './misspelt.ts';

test.each([
  ['CRAWL_MAX_PAGE', 'CRAWL_MAX_PAGES'],
  ['KAFKA_BROKER', 'KAFKA_BROKERS'],
  ['MONGODB_URL', 'MONGODB_URI'],
  ['RATE_LIMIT_PER_MINTUE', 'RATE_LIMIT_PER_MINUTE'],
  ['OPENAI_BASEURL', 'OPENAI_BASE_URL'],
  ['PARLEY_LOG_LEVEL', 'LOG_LEVEL'],
  ['PARLEY_SECERT', 'PARLEY_SECRET'],
])('%s is named, with the setting that was meant', (name, meant) => {
  expect(misspelt({ [name]: 'a value' })).toEqual([`The variable ${name} is not a setting. Did you mean ${meant}?`]);
});

test('a variable with our prefix that is like no setting is named', () => {
  expect(misspelt({ PARLEY_COLOUR: 'blue' })).toEqual(['The variable PARLEY_COLOUR is not a setting of this release.']);
});

test('settings, and what else an environment has, are not named', () => {
  const others = {
    PATH: '/bin',
    HOME: '/root',
    HOSTNAME: 'parley-gateway-0',
    TERM: 'xterm',
    NODE_OPTIONS: '--max-old-space-size=512',
    NODE_EXTRA_CA_CERTS: '/ca.crt',
    KUBERNETES_PORT: 'tcp://10.0.0.1:443',
    KUBERNETES_SERVICE_HOST: '10.0.0.1',
    OPENAI_ORG_ID: 'org',
    npm_config_cache: '/tmp',
    PARLEY_CACHE: '/var/cache',
    MONGODB_URL: '',
  };
  expect(misspelt({ ...others, PORT: '8080', PARLEY_SECRET: 'x', SEARCH_CACHE_MIB: '64' })).toEqual([]);
});
