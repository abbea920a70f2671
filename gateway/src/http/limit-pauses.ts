import type { ServerResponse } from 'node:http';

/**
 * Cuts off a client that stops reading its answer, which stays in memory until then.
 *
 * @param isPaused whether a silent connection is the client's fault
 */
export function limitPauses(response: ServerResponse, pauseMs: number, isPaused: () => boolean = () => true): void {
  response.setTimeout(pauseMs, () => {
    if (isPaused()) response.destroy();
  });
  // Before Node's own listener, which begins with the time that the connection may idle.
  response.prependOnceListener('finish', () => response.setTimeout(0));
}
