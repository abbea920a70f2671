import { run } from './command.ts';
import type { Namespace } from './kubernetes.ts';

/** The chart, installed in a namespace. */
export interface Release {
  name: string;
  /**
   * Needs all values each time: Helm keeps none of the previous ones.
   *
   * @param from Helm's arguments for another chart than that of these sources
   */
  install(values: Values, from?: readonly string[]): Promise<void>;
  upgrade(values: Values): Promise<void>;
  rollback(revision: number): Promise<void>;
  /** Returns the log of the test pod. */
  test(): Promise<string>;
  /** Idempotent. */
  uninstall(): Promise<void>;
}

export type Values = Record<string, unknown>;

/** The longest name that is not truncated: it leaves room for every suffix that Kubernetes appends. */
const NAME = 'parley'.padEnd(45, '-long');
const MINUTE_MS = 60_000;
const WAIT = ['--wait', '--timeout', '10m'];
/** Longer than Helm's own timeout. */
const HELM_WITHIN_MS = 11 * MINUTE_MS;

/** @param chart where it is; that of these sources by default */
export function releaseIn({ name: namespace }: Namespace, chart = './helm'): Release {
  const name = NAME;
  const helm = (args: string[], input?: string) =>
    run('helm', [...args, '--namespace', namespace], {
      timeoutMs: HELM_WITHIN_MS,
      ...(input !== undefined && { input }),
    });
  const withValues =
    (verb: string) =>
    async (values: Values, from: readonly string[] = [chart]) => {
      await helm([verb, name, ...from, ...WAIT, '--values', '-'], JSON.stringify(values));
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
      await helm(['uninstall', name, '--ignore-not-found', '--cascade', 'foreground', '--wait', '--timeout', '5m']);
    },
  };
}
