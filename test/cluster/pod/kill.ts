/**
 * Kills all processes of pods at once, as a node that loses power does: nothing hears of it before. The arguments are the pods'
 * uids. Needs the process ids of the node. Prints how many processes it has killed.
 */
import { readdir, readFile } from 'node:fs/promises';
import { tell } from './world.ts';

/** With the cgroup driver of systemd, names of groups have other dashes. */
const uids = process.argv.slice(2).flatMap((uid) => [uid, uid.replaceAll('-', '_')]);

const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
const groups = await Promise.all(
  pids.map(async (pid) => ({ pid: Number(pid), group: await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '') })),
);
const doomed = groups.filter(({ group }) => uids.some((uid) => group.includes(`pod${uid}`)));
for (const { pid } of doomed) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // Its parent's end was its own.
  }
}
tell({ killed: doomed.length });
