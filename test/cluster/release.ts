import { run } from './command.ts';
import type { Namespace } from './kubernetes.ts';

/** The chart, installed in a namespace. */
export interface Release {
  name: string;
  /** All values at each time: Helm keeps none from before. */
  install(values: Values): Promise<void>;
  upgrade(values: Values): Promise<void>;
  rollback(revision: number): Promise<void>;
  /** Gives the log of the test pod. */
  test(): Promise<string>;
  uninstall(): Promise<void>;
}

export type Values = Record<string, unknown>;

const MINUTE_MS = 60_000;
const WAIT = ['--wait', '--timeout', '10m'];
/** Above what Helm itself waits. */
const HELM_WITHIN_MS = 11 * MINUTE_MS;

export function releaseIn({ name: namespace }: Namespace): Release {
  const name = 'parley';
  const helm = (args: string[], input?: string) =>
    run('helm', [...args, '--namespace', namespace], {
      timeoutMs: HELM_WITHIN_MS,
      ...(input !== undefined && { input }),
    });
  const withValues = (verb: string) => async (values: Values) => {
    await helm([verb, name, './helm', ...WAIT, '--values', '-'], JSON.stringify(values));
  };
  return {
    name,
    install: withValues('install'),
    upgrade: withValues('upgrade'),
    rollback: async (revision) => {
      await helm(['rollback', name, String(revision), ...WAIT]);
    },
    test: async () => (await helm(['test', name, '--logs', '--timeout', '5m'])).replace(/^.*?POD LOGS[^\n]*\n/s, ''),
    uninstall: async () => {
      await helm(['uninstall', name, '--cascade', 'foreground', '--wait', '--timeout', '5m']);
    },
  };
}
