import { expect, test } from '@jest/globals';
import { readEnv } from '@parley/runtime';
import { readBackupConfig } from '@parley/runtime/backup';
import { exampleFile, type KubernetesObject, render, values } from './chart.ts';

type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef?: { key: string } } };

/** The container of the CronJob. */
function containerOf(objects: KubernetesObject[]) {
  const job = objects.find(({ kind }) => kind === 'CronJob') as unknown as {
    spec: { jobTemplate: { spec: { template: { spec: { containers: { env: Variable[]; args: string[] }[] } } } } };
  };
  return job.spec.jobTemplate.spec.template.spec.containers[0]!;
}

const SECRET = 's'.repeat(40);
const variablesOf = ({ env }: { env: Variable[] }) =>
  Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [
      name,
      value ??
        (valueFrom!.secretKeyRef!.key === 'uri'
          ? 'mongodb://mongodb'
          : /next|previous/.test(valueFrom!.secretKeyRef!.key)
            ? ''
            : SECRET),
    ]),
  );

test('backups are off unless they are asked for', async () => {
  expect((await render()).filter(({ kind }) => kind === 'CronJob')).toEqual([]);
});

test('the CronJob of backups has every setting that its program reads, for a bucket and for a volume', async () => {
  const toBucket = containerOf(await render(exampleFile('everything.yaml')));
  expect(toBucket.args).toEqual(['save', '--keep', '3']);
  expect(readBackupConfig(readEnv(variablesOf(toBucket)))).toMatchObject({
    backups: {
      s3: {
        endpoint: 'https://s3.example.com',
        bucket: 'acme-backups',
        region: 'eu-central-1',
        keys: { accessKey: SECRET },
      },
    },
    pauseMs: 10_000,
    passphrase: SECRET,
  });
  const plain = await render(values({ 'backup.enabled': true }));
  expect(readBackupConfig(readEnv(variablesOf(containerOf(plain)))).backups).toMatchObject({
    s3: { endpoint: 'http://parley-objects:7070', bucket: 'parley-backups', keys: { accessKey: SECRET } },
  });
  const toVolume = await render(values({ 'backup.enabled': true, 'backup.persistentVolumeClaim': 'mine' }));
  expect(readBackupConfig(readEnv(variablesOf(containerOf(toVolume))))).toMatchObject({ backups: { dir: '/backups' } });
});
