import { expect, test } from '@jest/globals';
import { helm, render, values } from './chart.ts';

const both = (what: string, store: string, key: string) =>
  `empty, since an internal ${what} runs: remove ${store}.external.${key}, or set ${store}.internal.enabled=false`;
const none = (what: string, store: string, key: string) =>
  `set, since no internal ${what} runs: set ${store}.external.${key}, or ${store}.internal.enabled=true`;

const SCHEMA: [what: string, given: Record<string, unknown>, sentence: string][] = [
  ['two MongoDBs', { 'mongodb.external.existingSecret': 'a' }, both('MongoDB', 'mongodb', 'existingSecret')],
  ['no MongoDB', { 'mongodb.internal.enabled': false }, none('MongoDB', 'mongodb', 'existingSecret')],
  ['two Kafkas', { 'kafka.external.brokers': 'a:9092' }, both('Kafka', 'kafka', 'brokers')],
  ['no Kafka', { 'kafka.internal.enabled': false }, none('Kafka', 'kafka', 'brokers')],
  ['two file stores', { 'objects.external.endpoint': 'http://a' }, both('file store', 'objects', 'endpoint')],
  ['no file store', { 'objects.internal.enabled': false }, none('file store', 'objects', 'endpoint')],
  [
    'mail without a server to send through',
    { 'mail.domain': 'mail.example.com' },
    'set mail.smtp.existingSecret to a Secret with its address under smtp-url',
  ],
  [
    'a file store without its keys',
    { 'objects.internal.enabled': false, 'objects.external.endpoint': 'https://s3.example.com' },
    'make a Secret with access-key and secret-key, and name it in objects.external.existingSecret',
  ],
  [
    'a broker without a port',
    { 'kafka.internal.enabled': false, 'kafka.external.brokers': 'a:9092,b' },
    'host:port, or several with commas between them; a port is a number from 1 to 65535',
  ],
  [
    'a broker with a port that is none',
    { 'kafka.internal.enabled': false, 'kafka.external.brokers': 'a:65536' },
    'a port is a number from 1 to 65535',
  ],
  ['a port that is none', { 'gateway.service.port': 70_000 }, "at '/gateway/service/port': maximum"],
  ['a port in words', { 'gateway.service.port': 'http' }, "at '/gateway/service/port': got string, want integer"],
  ['an image without a tag', { 'services.auth.image': 'parley-auth' }, 'a whole reference of an image, with its tag'],
  ['an address without its scheme', { 'gateway.publicUrl': 'a.example.com' }, 'begins with http:// or https://'],
  ['a misspelt value', { 'services.auth.replica': 2 }, "additional properties 'replica' not allowed"],
  ['a service that is none', { 'services.smtp.replicas': 2 }, "additional properties 'smtp' not allowed"],
  ['root', { runAs: 0 }, 'auto, assigned, or the number of a user other than root'],
  ['a size that is none', { 'mongodb.internal.persistence.size': '10 GB' }, 'a size such as 10Gi'],
  [
    'a prefix that Kafka would refuse',
    { 'kafka.external.prefix': 'a/b' },
    'of a to z, 0 to 9 and, not first, - . or _',
  ],
  [
    'a setting in words that is a number',
    { 'services.trainer.env.CRAWL_MAX_PAGES': 'many' },
    "at '/services/trainer/env/CRAWL_MAX_PAGES': 'many' does not match pattern",
  ],
  [
    'a setting beyond its bounds',
    { 'services.trainer.env.TRAINER_CONCURRENCY': 17 },
    "at '/services/trainer/env/TRAINER_CONCURRENCY': maximum",
  ],
  ['a reply longer than any may be', { replyTimeoutSeconds: 600 }, "at '/replyTimeoutSeconds': maximum"],
];

test.each(SCHEMA)('%s: refused by the schema, with a clear message', async (_, given, sentence) => {
  await expect(render(values(given))).rejects.toThrow(sentence);
});

const TEMPLATES: [what: string, given: Record<string, unknown>, sentence: string][] = [
  [
    'two certificates for pods',
    { internalTls: { existingSecret: 'a', certManager: { enabled: true, issuerRef: { name: 'b' } } } },
    'set internalTls.existingSecret or internalTls.certManager.enabled, not both.',
  ],
  [
    'cert-manager without an issuer',
    { 'internalTls.certManager.enabled': true },
    'set internalTls.certManager.issuerRef to an issuer of a private CA',
  ],
  [
    'HTTPS of the gateway without a certificate',
    { 'internalTls.gateway': true },
    'The gateway has no certificate for HTTPS: set internalTls.existingSecret',
  ],
  [
    'TLS between pods without a certificate',
    { 'internalTls.mode': 'prefer' },
    'internalTls.mode is prefer, but pods have no certificate',
  ],
  [
    'two Kafkas',
    { 'kafka.external.brokers': 'a:9092' },
    'Both an internal and an external Kafka are set: remove kafka.external.brokers, or set kafka.internal.enabled=false.',
  ],
  [
    'no MongoDB',
    { 'mongodb.internal.enabled': false },
    'There is no MongoDB: set mongodb.external.existingSecret, or mongodb.internal.enabled=true.',
  ],
  [
    'a file store without its keys',
    { 'objects.internal.enabled': false, 'objects.external.endpoint': 'https://s3.example.com' },
    'The external file store has no keys: set objects.external.existingSecret',
  ],
  [
    'CA certificates from two places',
    { caCertificates: { configMap: 'a', secret: 'b', key: 'c' } },
    'set caCertificates.configMap or caCertificates.secret, not both.',
  ],
  ['being disabled, but for a parent chart', { enabled: false }, 'enabled=false says to a parent chart that'],
  ['a model without a server', { 'openai.model': 'gpt-4o' }, 'openai names a model, but no server'],
  [
    'an HTTPRoute of unknown networks',
    { 'httpRoute.enabled': true },
    'set httpRoute.trustedProxies to the networks of',
  ],
  [
    'an HTTPRoute without a Gateway',
    { 'httpRoute.enabled': true, 'httpRoute.trustedProxies': 'none' },
    'An HTTPRoute needs a Gateway: set httpRoute.parentRefs',
  ],
  [
    'a password for Kafka in plain text',
    { 'kafka.external.sasl': { mechanism: 'plain', existingSecret: 'kafka' } },
    'set kafka.external.tls=true',
  ],
  [
    'signing in to Kafka as nobody',
    { 'kafka.external.sasl.mechanism': 'plain', 'kafka.external.tls': true },
    'set kafka.external.sasl.mechanism and kafka.external.sasl.existingSecret',
  ],
  ['an Ingress of unknown networks', { 'ingress.enabled': true }, 'set ingress.trustedProxies to the networks of'],
];

test.each(TEMPLATES)('%s: refused by the templates too, with a clear message', async (_, given, sentence) => {
  await expect(render(['--skip-schema-validation', ...values(given)])).rejects.toThrow(sentence);
});

test('lint refuses the same values as an installation', async () => {
  await expect(helm(['lint', '--strict'], values({ 'kafka.external.brokers': 'a:9092' }))).rejects.toThrow();
});
