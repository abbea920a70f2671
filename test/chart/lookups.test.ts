import { expect, test } from '@jest/globals';
import { type KubernetesObject, render, secretOf, values } from './chart.ts';
import { kubernetesWith, type Secrets } from './kubernetes.fixture.ts';

/** Renders like an install or upgrade in a namespace that has these Secrets. */
async function installInto(secrets: Secrets, given: Record<string, unknown> = {}): Promise<KubernetesObject[]> {
  await using kubernetes = await kubernetesWith(secrets);
  return await render([...kubernetes.options, ...values(given)]);
}

const KEPT: Secrets = {
  parley: { 'parley-secret': 'p'.repeat(64), 'first-account-key': `parley_${'k'.repeat(38)}` },
  'parley-mongodb': { password: 'an older: one', uri: 'mongodb://somewhere/else' },
  'parley-objects': { 'access-key': 'parley', 'secret-key': 'an older one' },
};

test('an upgrade, and an installation after an uninstall, keep existing secrets', async () => {
  const objects = await installInto(KEPT);
  for (const [name, key] of [
    ['parley', 'parley-secret'],
    ['parley', 'first-account-key'],
    ['parley-mongodb', 'password'],
    ['parley-objects', 'secret-key'],
  ] as const)
    expect({ key, value: secretOf(objects, name, key) }).toEqual({ key, value: KEPT[name]![key] });
  expect(secretOf(objects, 'parley-mongodb', 'uri')).toContain('parley:an%20older%3A%20one@parley-mongodb:27017');
});

test('missing keys of a kept Secret are generated', async () => {
  const objects = await installInto({ parley: { 'parley-secret': 'p'.repeat(64) } });
  expect(secretOf(objects, 'parley', 'parley-secret')).toBe('p'.repeat(64));
  expect(secretOf(objects, 'parley', 'first-account-key')).toMatch(/^parley_\w{38}$/);
});

test('the pepper of an installation that had none is the secret that its API keys were made with, also once that is turned', async () => {
  const before = 'p'.repeat(64);
  const upgraded = secretOf(await installInto({ parley: { 'parley-secret': before } }), 'parley', 'key-pepper');
  expect(upgraded).toBe(before);
  const turned = await installInto({ parley: { 'parley-secret': 'q'.repeat(64), 'key-pepper': before } });
  expect(secretOf(turned, 'parley', 'key-pepper')).toBe(before);
  const fresh = await installInto({});
  expect(secretOf(fresh, 'parley', 'key-pepper')).not.toBe(secretOf(fresh, 'parley', 'parley-secret'));
});

test('no pod is restarted by an upgrade that changes nothing', async () => {
  const templates = async (secrets: Secrets) =>
    (await installInto(secrets)).map(({ kind, metadata, spec }) => [kind, metadata.name, spec?.template]);
  expect(await templates(KEPT)).toEqual(await templates({}));
});

test.each([
  ['secret.existingSecret', {}],
  ['openai.existingSecret', {}],
  ['mongodb.external.existingSecret', { 'mongodb.internal.enabled': false }],
  [
    'objects.external.existingSecret',
    { 'objects.internal.enabled': false, 'objects.external.endpoint': 'https://s3.example.com' },
  ],
])('a missing Secret that %s names is refused with a message that says how to create it', async (path, more) => {
  const sentence = `The Secret mine, which ${path} names, does not exist in the namespace default. Make it first: kubectl create secret generic mine --namespace default --from-literal=`;
  await expect(installInto({}, { [path]: 'mine', ...more })).rejects.toThrow(sentence);
});

test('a Secret without the required key is refused, and one with it is accepted', async () => {
  const given = { 'openai.existingSecret': 'mine' };
  await expect(installInto({ mine: { token: 'x' } }, given)).rejects.toThrow(
    'The Secret mine, which openai.existingSecret names, has no key api-key in the namespace default.',
  );
  await installInto({ mine: { 'api-key': 'x' } }, given);
  await installInto({ mine: { token: 'x' } }, { ...given, 'openai.key': 'token' });
});

test('changing the password of an existing MongoDB is refused, the same one is not', async () => {
  const given = (password: string) => ({ 'mongodb.internal.auth.password': password });
  await expect(installInto(KEPT, given('a new one'))).rejects.toThrow(
    'MongoDB has got another password when it was installed (the Secret parley-mongodb)',
  );
  await installInto(KEPT, given('an older: one'));
});
