import { once } from 'node:events';
import { createServer } from 'node:net';

/** Throws an error for the user if the port can't be used. Called first, so that nothing has to be stopped again. */
export async function checkPort(host: string, port: number): Promise<void> {
  const trial = createServer();
  try {
    await once(trial.listen(port, host), 'listening');
  } catch (error) {
    throw new Error(explain((error as NodeJS.ErrnoException).code, host, port), { cause: error });
  }
  trial.close();
  await once(trial, 'close');
}

export async function isFree(host: string, port: number): Promise<boolean> {
  try {
    await checkPort(host, port);
    return true;
  } catch {
    return false;
  }
}

function explain(code: string | undefined, host: string, port: number): string {
  const another = `choose another port, for example: PORT=${port < 60_000 ? port + 1_000 : port - 1_000} npm start`;
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program. Stop that one, or ${another}`;
  if (code === 'EACCES') return `This user may not listen on port ${port}. Please ${another}`;
  return `HOST is ${host}, where this machine can't listen (${code}). Without HOST it is 127.0.0.1.`;
}

/** The host by which this machine itself reaches a server that listens on `host`, for a URL. */
export function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
