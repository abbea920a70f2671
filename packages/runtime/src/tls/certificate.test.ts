import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog } from '../log.ts';
import { until } from '../testing/index.ts';
import { readCertificate, watchCertificate } from './certificate.ts';
import { certificateFault } from './certificate-fault.ts';
import { issue } from './testing/issue.ts';
import { mountCertificate } from './testing/mount-secret.ts';

let directory: string;
const pem = (name: string) => readFile(join(directory, `${name}.crt`));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-certificate-'));
  await issue(directory, 'ca');
  await issue(directory, 'first', { by: 'ca', names: 'DNS:parley-auth,IP:127.0.0.1' });
  await issue(directory, 'second', { by: 'ca' });
  await issue(directory, 'old', { by: 'ca', expired: true });
});
afterAll(() => rm(directory, { recursive: true }));

test('a certificate that was renewed is noticed, and half of one is not taken', async () => {
  const mounted = join(directory, 'mounted');
  const files = { cert: join(mounted, 'tls.crt'), key: join(mounted, 'tls.key') };
  await mountCertificate(mounted, directory, 'first', ['ca']);
  const renewed: string[] = [];
  const failures: string[] = [];
  const log = Object.assign(createLog('test', 'silent'), { error: (_: object, line: string) => failures.push(line) });
  const loop = watchCertificate(files, log, readCertificate(files), ({ cert }) => renewed.push(String(cert)));
  await loop.start();
  await writeFile(files.cert, await pem('second'));
  await until(() => {
    loop.wake();
    return failures.length > 0;
  });
  expect(renewed).toEqual([]);
  await mountCertificate(mounted, directory, 'second', ['ca']);
  await until(() => {
    loop.wake();
    return renewed.length === 1;
  });
  await loop.stop();
  expect(renewed).toEqual([String(await pem('second'))]);
});

test('a file that is missing is named', () => {
  const files = { cert: join(directory, 'first.crt'), key: join(directory, 'none.key') };
  expect(() => readCertificate(files)).toThrow(`The file ${files.key} can't be read: ENOENT.`);
});

test('a certificate that others refuse is told from one that they accept', async () => {
  const first = await pem('first');
  for (const name of [undefined, 'parley-auth', '127.0.0.1']) expect(certificateFault(first, name)).toBeUndefined();
  expect(certificateFault(first, 'parley-mail')).toBe(
    'the certificate is for DNS:parley-auth, IP Address:127.0.0.1, not for parley-mail',
  );
  expect(certificateFault(await pem('old'), undefined)).toMatch(/^the certificate has expired/);
  expect(certificateFault(first, undefined, Date.now() - 86_400_000)).toMatch(/^the certificate is not valid yet/);
});
