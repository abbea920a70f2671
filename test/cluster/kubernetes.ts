import { setTimeout as pause } from 'node:timers/promises';
import { type CommandOptions, type RunningCommand, run, start } from './command.ts';

/** Of a Kubernetes pod, what is looked at here. */
export interface Pod {
  metadata: { name: string; uid: string; labels: Record<string, string>; deletionTimestamp?: string };
  spec: { nodeName: string };
  status: {
    phase: string;
    podIP?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { restartCount: number }[];
  };
}

/** One namespace of the cluster that kubectl talks to. */
export interface Namespace {
  name: string;
  kubectl(args: string[], options?: Partial<CommandOptions>): Promise<string>;
  /** Runs a program in a pod; what is written to it ends where `end` is called. */
  exec(pod: string, command: string[], options?: Partial<CommandOptions>): RunningCommand;
  /** Those of a component of Parley that are not about to end; all of them where none is named. */
  pods(component?: string): Promise<Pod[]>;
  apply(object: unknown): Promise<void>;
}

const ASK_WITHIN_MS = 60_000;
const COMPONENT = 'app.kubernetes.io/component';

export function namespaceOf(name: string): Namespace {
  const kubectl = (args: string[], options: Partial<CommandOptions> = {}) =>
    run('kubectl', ['--namespace', name, ...args], { timeoutMs: ASK_WITHIN_MS, ...options });
  return {
    name,
    kubectl,
    exec: (pod, command, options = {}) =>
      start('kubectl', ['--namespace', name, 'exec', '-i', pod, '--', ...command], {
        timeoutMs: ASK_WITHIN_MS,
        ...options,
      }),
    async pods(component) {
      const selector = component ? `${COMPONENT}=${component}` : COMPONENT;
      const { items } = JSON.parse(await kubectl(['get', 'pods', '--selector', selector, '--output', 'json']));
      return (items as Pod[]).filter(({ metadata }) => !metadata.deletionTimestamp);
    },
    apply: async (object) => {
      await kubectl(['apply', '--filename', '-'], { input: JSON.stringify(object) });
    },
  };
}

export const componentOf = ({ metadata }: Pod): string => metadata.labels[COMPONENT] ?? '';

export const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** Asks once a second until `holds`; rejects after `withinMs` with the sentence that `otherwise` is. */
export async function eventually(otherwise: string, withinMs: number, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${otherwise} (after ${withinMs / 1000} s)`);
    await pause(1000);
  }
}

/** Why pods are not well: what Kubernetes knows of them, and the ends of their logs. */
export async function explainPods({ kubectl }: Namespace): Promise<string> {
  const told = (args: string[]) => kubectl(args).catch((error: Error) => error.message);
  const { items } = JSON.parse(await kubectl(['get', 'pods', '--output', 'json']).catch(() => '{"items":[]}'));
  const unwell = (items as Pod[]).filter(
    (pod) =>
      pod.status.phase !== 'Succeeded' &&
      (!isReady(pod) || pod.status.containerStatuses?.some(({ restartCount }) => restartCount > 0)),
  );
  const parts = [await told(['get', 'pods', '--output', 'wide'])];
  for (const { metadata } of unwell) {
    const { name } = metadata;
    parts.push(`--- ${name}`, (await told(['describe', 'pod', name])).slice(-3_000));
    parts.push(await told(['logs', name, '--tail=40']), await told(['logs', name, '--previous', '--tail=40']));
  }
  return parts.join('\n');
}
