import { isDeepStrictEqual } from 'node:util';
import type { Namespace } from './kubernetes.ts';
import type { Release, Values } from './release.ts';
import type { Runner } from './runner.ts';
import { STACK_FILE } from './suite.ts';

const DOMAIN = 'parley.test';
/** Where the runner receives what is sent. */
const PORT = 2526;
const SECRET = 'parley-test-smtp';
const WITHIN_MS = 120_000;

/** Values with which mail goes out through the runner. Creates the Secret that they name. */
export async function mailValues(namespace: Namespace, runner: Runner): Promise<Values> {
  await namespace.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: SECRET },
    stringData: { 'smtp-url': `smtp://${runner.ip}:${PORT}` },
  });
  return { domain: DOMAIN, smtp: { existingSecret: SECRET } };
}

/** A mail comes in through the Service, and the owner's reply to it goes out. */
export async function mailInAndOut({ name }: Release, runner: Runner): Promise<string> {
  const mailing = runner.node(
    ['test/cluster/pod/mail.ts', `${name}-mail`, DOMAIN, `${PORT}`],
    { PARLEY_STACK: STACK_FILE },
    {
      timeoutMs: WITHIN_MS,
    },
  );
  const report = JSON.parse((await mailing.end()).trim().split('\n').at(-1)!);
  const wanted = { subject: 'My lamp', says: true };
  if (!isDeepStrictEqual(report, wanted)) throw new Error(`Unexpected: ${JSON.stringify(report)}`);
  return '';
}
