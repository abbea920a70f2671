/** Prints how many calls from other services each pod has answered. The arguments are the pods' addresses. */
import { tell } from './world.ts';

const OPS_PORT = 9090;
const ASK_WITHIN_MS = 10_000;
/** Excludes probes and reflection. */
const ANSWERED = /^parley_rpc_seconds_count\{side="server",service="parley\.[^}]*\} (\d+)/gm;

const calls = async (ip: string) => {
  const response = await fetch(`http://${ip}:${OPS_PORT}/metrics`, { signal: AbortSignal.timeout(ASK_WITHIN_MS) });
  const counts = [...(await response.text()).matchAll(ANSWERED)].map(([, count]) => Number(count));
  return [ip, counts.reduce((sum, count) => sum + count, 0)] as const;
};

tell(Object.fromEntries(await Promise.all(process.argv.slice(2).map(calls))));
