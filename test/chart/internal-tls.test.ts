import { expect, test } from '@jest/globals';
import { readEnv } from '@parley/runtime';
import { factsOf, PROCESS_NAMES, RPC_NAMES } from '../../deploy/processes.ts';
import { type KubernetesObject, objectOf, plainVariablesOf, podsOf, render, values } from './chart.ts';

const MAIL = { 'mail.domain': 'mail.example.com', 'mail.smtp.existingSecret': 'smtp' };
const BY_SECRET = { ...MAIL, 'internalTls.existingSecret': 'certificate' };
const BY_CERT_MANAGER = {
  ...MAIL,
  internalTls: { certManager: { enabled: true, issuerRef: { name: 'my-ca', kind: 'Issuer' } } },
};
/** The trainer neither calls nor is called. */
const SPEAKING = PROCESS_NAMES.filter((name) => factsOf(name).rpc || factsOf(name).calls.length > 0);

const deploymentOf = (objects: KubernetesObject[], name: string) => objectOf(objects, 'Deployment', `parley-${name}`);

/** The Secret that a pod finds in its `RPC_TLS_DIR`; undefined without one. */
function certificateOf(objects: KubernetesObject[], name: string): unknown {
  const { pod } = podsOf(objects).find((of) => of.name === `parley-${name}`)!;
  const { env = [], volumeMounts = [] } = pod.containers[0]!;
  const directory = env.find((variable) => variable.name === 'RPC_TLS_DIR')?.value;
  const mount = volumeMounts.find(({ mountPath }) => mountPath === directory);
  const volume = pod.volumes!.find((each) => each.name === mount?.name);
  return (volume?.['secret'] as { secretName: string } | undefined)?.secretName;
}

test.each([
  ['a Secret of yours', BY_SECRET, 'certificate'],
  ['cert-manager', BY_CERT_MANAGER, 'parley-internal-tls'],
])('with %s, every pod that speaks gRPC has the certificate, and refuses plaintext', async (_, given, secretName) => {
  const objects = await render(values(given));
  for (const name of [...SPEAKING, 'test']) {
    expect([name, certificateOf(objects, name)]).toEqual([name, secretName]);
    if (name !== 'test') expect(plainVariablesOf(deploymentOf(objects, name))['RPC_TLS_MODE']).toBe('require');
  }
  expect(certificateOf(objects, 'trainer')).toBeUndefined();
  for (const name of RPC_NAMES) {
    const { ports } = objectOf(objects, 'Service', `parley-${name}`).spec!;
    expect(ports).toEqual([expect.objectContaining({ name: 'grpc', appProtocol: 'https' })]);
  }
});

test('without it, no pod has a certificate', async () => {
  const objects = await render(values(MAIL));
  for (const name of [...PROCESS_NAMES, 'test']) expect(certificateOf(objects, name)).toBeUndefined();
  expect(objects.map(({ kind }) => kind)).not.toContain('Certificate');
});

test('the certificate that cert-manager makes is for every name that a pod calls, or is called by', async () => {
  const objects = await render(values(BY_CERT_MANAGER));
  const { spec } = objectOf(objects, 'Certificate', 'parley-internal-tls');
  const { dnsNames, secretName, issuerRef, usages } = spec as unknown as Record<string, unknown>;
  expect({ secretName, issuerRef }).toEqual({
    secretName: 'parley-internal-tls',
    issuerRef: { name: 'my-ca', kind: 'Issuer' },
  });
  expect(usages).toEqual(expect.arrayContaining(['server auth', 'client auth']));
  const names = SPEAKING.flatMap((name) => {
    const variables = plainVariablesOf(deploymentOf(objects, name));
    const called = Object.entries(variables).filter(([variable]) => variable.endsWith('_ADDRESS'));
    return [...called.map(([, address]) => address!.split(':')[0]), variables['RPC_TLS_NAME'] ?? []].flat();
  });
  expect(names.length).toBeGreaterThan(RPC_NAMES.length);
  expect(dnsNames).toEqual(expect.arrayContaining(names));
});

test('a mode for the change-over reaches every pod', async () => {
  const objects = await render(values({ ...BY_SECRET, 'internalTls.mode': 'allow' }));
  for (const name of SPEAKING) {
    expect(plainVariablesOf(deploymentOf(objects, name))['RPC_TLS_MODE']).toBe('allow');
  }
  const { ports } = objectOf(objects, 'Service', 'parley-auth').spec!;
  expect(ports).toEqual([expect.objectContaining({ appProtocol: 'kubernetes.io/h2c' })]);
});

test('the gateway serves HTTPS with the same certificate, where the values say so, and is probed and called so', async () => {
  const given = { ...BY_CERT_MANAGER.internalTls, gateway: true };
  const ingress = { 'ingress.enabled': true, 'ingress.trustedProxies': 'none' };
  const objects = await render(values({ ...MAIL, ...ingress, internalTls: given }));
  const gateway = deploymentOf(objects, 'gateway');
  const { readConfig } = await import('../../gateway/src/config.ts');
  const secret = { PARLEY_SECRET: 'x'.repeat(32), MONGODB_URI: 'mongodb://x/', MINIO_SECRET_KEY: 'x'.repeat(8) };
  const { tls, rpcTls } = readConfig(
    readEnv({ ...plainVariablesOf(gateway), ...secret, MINIO_ACCESS_KEY: 'parley', OPS_PORT: undefined }),
  );
  expect(tls).toEqual({ cert: `${rpcTls!.dir}/tls.crt`, key: `${rpcTls!.dir}/tls.key` });
  const { startupProbe, readinessProbe, livenessProbe } = gateway.spec!.template!.spec.containers[0]!;
  for (const probe of [startupProbe, readinessProbe, livenessProbe]) expect(probe!.httpGet!.scheme).toBe('HTTPS');
  const { spec } = objectOf(objects, 'Certificate', 'parley-internal-tls');
  expect((spec as unknown as { dnsNames: string[] }).dnsNames).toContain('parley-gateway');
  const { ports } = objectOf(objects, 'Service', 'parley-gateway').spec!;
  expect(ports).toEqual([expect.objectContaining({ name: 'http', appProtocol: 'https' })]);
  const { annotations } = objectOf(objects, 'Ingress', 'parley').metadata;
  expect(annotations!['nginx.ingress.kubernetes.io/backend-protocol']).toBe('HTTPS');
  const { pod } = podsOf(objects).find(({ name }) => name === 'parley-test')!;
  const asked = pod.containers[0]!.env!.find(({ name }) => name === 'GATEWAY');
  expect(asked!.value).toBe('https://parley-gateway:80');
});
