import { isReady, type Namespace } from './kubernetes.ts';

/** Memory that processes hold, without cached files. From cgroup v2 if available, else v1. */
const READ = 'cat /sys/fs/cgroup/memory.stat 2>/dev/null || cat /sys/fs/cgroup/memory/memory.stat';
const HELD = /^(?:anon|total_rss) (\d+)$/m;
const MIB = 1024 * 1024;

/** The memory of each pod, according to its control group. */
export async function memoryOfPods(namespace: Namespace): Promise<string> {
  const pods = (await namespace.pods()).filter(isReady);
  const lines = pods.map(async ({ metadata: { name } }) => {
    const stat = await namespace
      .exec(name, ['sh', '-c', READ])
      .end()
      .catch(() => '');
    const bytes = HELD.exec(stat)?.[1];
    return `${bytes ? `${Math.round(Number(bytes) / MIB)} MiB`.padStart(8) : '       ?'}  ${name}`;
  });
  return (await Promise.all(lines)).join('\n');
}
