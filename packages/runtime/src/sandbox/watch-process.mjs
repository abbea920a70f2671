// Plain JavaScript, so that it needs no loader on any Node.
import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';

/** Between checks. A parser fills some hundred megabytes a second. */
const CHECK_MS = 50;

const end = () => process.kill(process.pid, 'SIGKILL');
new Socket({ fd: 0 }).on('error', end).on('close', end).resume();

const most = workerData.residentMb * 1024 * 1024;
setInterval(() => {
  if (process.memoryUsage.rss() > most) end();
}, CHECK_MS);
