import { isReady, type Namespace } from './kubernetes.ts';

/** By control groups version 2, else 1; what processes hold, without cached files. */
const READ = 'cat /sys/fs/cgroup/memory.stat 2>/dev/null || cat /sys/fs/cgroup/memory/memory.stat';
const HELD = /^(?:anon|total_rss) (\d+)$/m;
const MIB = 1024 * 1024;

/** How much memory each pod holds, as its own control group says. */
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
