import { dirname } from 'node:path';
import type { CommandOptions, RunningCommand } from './command.ts';
import type { Namespace } from './kubernetes.ts';

/** A pod in Parley's namespace that runs all clients and serves a website that Parley may crawl. */
export interface Runner {
  /** Its IP address. */
  ip: string;
  /** Runs a program of this repository with Node; its standard input stays open until `end`. */
  node(args: string[], variables?: Record<string, string>, options?: Partial<CommandOptions>): RunningCommand;
  /** Writes a file that only its own user can read, and its folder. */
  write(path: string, content: string): Promise<void>;
}

/** Runs a program, and resolves once its output has a word. Rejects if it ends before. */
export async function runUntil(
  { node }: Runner,
  program: string,
  variables: Record<string, string>,
  { word, timeoutMs }: { word: string; timeoutMs: number },
): Promise<RunningCommand> {
  let tell = () => {};
  const said = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const onOutput = (text: string) => text.includes(word) && tell();
  const running = node([program], variables, { timeoutMs, onOutput });
  const ended = running.done.then((output) => {
    throw new Error(`${program} ended before it said "${word}":\n${output.slice(-2_000)}`);
  });
  await Promise.race([said, ended]);
  return running;
}

const NAME = 'parley-runner';
const START_WITHIN = '--timeout=180s';

export async function startRunner(namespace: Namespace, image: string): Promise<Runner> {
  await namespace.apply(podOf(image));
  await namespace.kubectl(['wait', '--for=condition=Ready', `pod/${NAME}`, START_WITHIN], { timeoutMs: 200_000 });
  const ip = await namespace.kubectl(['get', 'pod', NAME, '--output', 'jsonpath={.status.podIP}']);
  return {
    ip,
    node: (args, variables = {}, options = {}) => {
      const env = Object.entries({ SITE_HOST: ip, ...variables }).map(([name, value]) => `${name}=${value}`);
      return namespace.exec(NAME, ['env', ...env, 'node', ...args], options);
    },
    write: async (path, content) => {
      await namespace.exec(NAME, ['sh', '-c', `umask 077; mkdir -p ${dirname(path)}; cat >${path}`], { input: content })
        .done;
    },
  };
}

const podOf = (image: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: NAME },
  spec: {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 1,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'runner',
        image,
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  },
});
