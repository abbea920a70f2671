const LOOK_EVERY_MS = 1_000;

/**
 * Stops this process, like SIGTERM, when its parent has died. npm forwards SIGTERM only to the shell that runs the script,
 * and the shell dies without forwarding it.
 */
export function endWithParent() {
  const { npm_lifecycle_event: script, PARLEY_LAUNCHED: launched } = process.env;
  if (script === undefined && launched === undefined) return; // Its parent may exit on purpose.
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  looking.unref();
}
