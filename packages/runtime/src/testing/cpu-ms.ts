/**
 * For tests of bounded work: the milliseconds of CPU that it took this process. Unlike those on a clock, they do not grow
 * with whatever else the machine does.
 */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
