import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROCESS_NAMES } from '../../deploy/processes.ts';
import { writeUmbrella } from '../chart/umbrella.fixture.ts';
import { run } from './command.ts';
import type { Namespace } from './kubernetes.ts';

const ALIAS = 'support';
/** The servers don't exist, and no pod needs them: this tests only what the cluster accepts. */
const values = {
  [ALIAS]: {
    enabled: true,
    openai: { existingSecret: 'model' },
    services: Object.fromEntries(PROCESS_NAMES.map((name) => [name, { replicas: 0 }])),
    mongodb: { internal: { enabled: false }, external: { existingSecret: 'model', key: 'api-key' } },
    kafka: { internal: { enabled: false }, external: { brokers: 'kafka.invalid:9092' } },
    objects: {
      internal: { enabled: false },
      external: { endpoint: 'http://objects.invalid', existingSecret: 'model' },
    },
  },
};
const HELM_WITHIN_MS = 120_000;

/** Installs, upgrades and uninstalls a parent chart. Parley's values name a Secret that the same release creates. */
export async function installUmbrella({ name: namespace, kubectl }: Namespace): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'parley-umbrella-'));
  try {
    const chart = await writeUmbrella(join(work, 'acme'), 'helm', [ALIAS]);
    const helm = (args: string[], input = '') =>
      run('helm', [...args, '--namespace', namespace], { timeoutMs: HELM_WITHIN_MS, input });
    for (const verb of ['install', 'upgrade'])
      await helm([verb, 'acme', chart, '--wait', '--values', '-'], JSON.stringify(values));
    await kubectl(['get', 'deployment', `acme-${ALIAS}-gateway`]);
    await helm(['uninstall', 'acme', '--wait']);
  } finally {
    await rm(work, { recursive: true });
  }
}
