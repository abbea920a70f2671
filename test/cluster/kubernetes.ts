import { setTimeout as pause } from 'node:timers/promises';
import { type CommandOptions, type RunningCommand, run, start } from './command.ts';

/** The parts of a Kubernetes pod that matter here. */
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

/** One namespace of the cluster that kubectl is configured for. */
export interface Namespace {
  name: string;
  kubectl(args: string[], options?: Partial<CommandOptions>): Promise<string>;
  /** Runs a program in a pod; its standard input stays open until `end` is called. */
  exec(pod: string, command: string[], options?: Partial<CommandOptions>): RunningCommand;
  /** The pods of a component of Parley, or of all of them if none is given, without terminating ones. */
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

/** Polls once a second until `holds`; after `withinMs` rejects with `otherwise` as the message. */
export async function eventually(otherwise: string, withinMs: number, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${otherwise} (after ${withinMs / 1000} s)`);
    await pause(1000);
  }
}

/** Explains why pods are unhealthy: what Kubernetes reports about them, and the ends of their logs. */
export async function explainPods({ kubectl }: Namespace): Promise<string> {
  const outputOf = (args: string[]) => kubectl(args).catch((error: Error) => error.message);
  const { items } = JSON.parse(await kubectl(['get', 'pods', '--output', 'json']).catch(() => '{"items":[]}'));
  const unhealthy = (items as Pod[]).filter(
    (pod) =>
      pod.status.phase !== 'Succeeded' &&
      (!isReady(pod) || pod.status.containerStatuses?.some(({ restartCount }) => restartCount > 0)),
  );
  const parts = [await outputOf(['get', 'pods', '--output', 'wide'])];
  for (const { metadata } of unhealthy) {
    const { name } = metadata;
    parts.push(`--- ${name}`, (await outputOf(['describe', 'pod', name])).slice(-3_000));
    parts.push(await outputOf(['logs', name, '--tail=40']), await outputOf(['logs', name, '--previous', '--tail=40']));
  }
  return parts.join('\n');
}
