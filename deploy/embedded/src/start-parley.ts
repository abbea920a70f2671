import { join } from 'node:path';
import { createLog, publicError } from '@parley/runtime';
import type { Variables } from './config.ts';
import { makeDataDir, readOrMakeSecret } from './data-dir.ts';
import { type Demo, prepareDemo } from './demo.ts';
import { type DemoSite, startDemoSite } from './demo-site.ts';
import { type Endpoints, removeEndpoints, writeEndpoints } from './endpoints.ts';
import { startEngine } from './engine/start-engine.ts';
import { checkPort, reachable } from './listen.ts';
import { addressOf, type Service, type ServiceName, type Shared, startServices } from './services.ts';

export interface ParleyOptions {
  /** Made where it is missing; all that must outlive the process is in it. */
  dataDir: string;
  /** Where the REST API listens; 127.0.0.1 by default. The services themselves are on loopback always. */
  host?: string;
  /** 0: any free one. */
  port: number;
  /** Sets up the demonstration; its site's first choice of a port. */
  demo?: { port: number };
  /**
   * What the services are told, by the names that a cluster uses (MONGODB_URI, CRAWL_ALLOW, OPENAI_BASE_URL, ...). Without
   * MONGODB_URI the embedded engine is started.
   */
  variables?: Variables;
  /** What the services share, where it is not what the variables name: for those who measure. */
  shared?: Partial<Shared>;
  /** Gets a line for the user at each step. */
  say?: (line: string) => void;
  /** Ends a start that is under way, cleanly. */
  signal?: AbortSignal;
}

export interface Parley {
  /** Of the REST API, without `/v1`. */
  baseUrl: string;
  endpoints: Endpoints;
  /** The one secret, with which a test may speak for an account. */
  secret: string;
  /** Each can be stopped and started again by itself. */
  services: Record<ServiceName, Service>;
  demo: Demo | undefined;
  /** Rejects with a sentence when the engine has died; never resolves. */
  failed: Promise<never>;
  /** Everything, in reverse order of the start. */
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const NEVER = new AbortController().signal;

/** What is to be stopped, last first. */
type Stops = (() => Promise<unknown>)[];

/** Starts all of Parley in this process, over real gRPC on loopback. What was started is stopped again where it fails. */
export async function startParley(options: ParleyOptions): Promise<Parley> {
  const stops: Stops = [];
  const log = createLog('embedded', options.variables?.['LOG_LEVEL']);
  const stop = async () => {
    for (let next = stops.pop(); next; next = stops.pop()) {
      await next().catch((error) => log.error({ err: error }, 'stopping'));
    }
  };
  try {
    return { ...(await startAll(options, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startAll(options: ParleyOptions, stops: Stops): Promise<Omit<Parley, 'stop'>> {
  const { dataDir, host = LOOPBACK, port } = options;
  await checkPort(host, port);
  await makeDataDir(dataDir);
  const secret = await readOrMakeSecret(dataDir);
  const { uri, failed } = await database(options, stops);
  return { secret, failed, ...(await Promise.race([startOn(uri, secret, options, stops), failed])) };
}

async function startOn(uri: string, secret: string, options: ParleyOptions, stops: Stops) {
  const { dataDir, host = LOOPBACK, port, variables = {}, shared = {}, say = () => {}, signal = NEVER } = options;
  signal.throwIfAborted();
  const site = options.demo && (await demoSite(dataDir, options.demo.port, say, stops));

  say('Starting the services …');
  const settings: Variables = {
    LOG_LEVEL: 'warn',
    ...variables,
    PORT: undefined,
    // The gateway answers operators too; six services can't share one port.
    OPS_PORT: undefined,
    PARLEY_SECRET: secret,
    MONGODB_URI: uri,
    OBJECTS_DIR: join(dataDir, 'objects'),
    CRAWL_ALLOW: [variables['CRAWL_ALLOW'], site?.address].filter(Boolean).join(','),
  };
  const services = await startServices(settings, { HOST: host, PORT: String(port) }, shared, stops, signal);

  const baseUrl = `http://${reachable(host)}:${services.gateway.port}`;
  const endpoints = endpointsOf(baseUrl, services);
  await writeEndpoints(dataDir, endpoints);
  stops.push(() => removeEndpoints(dataDir));
  const preparing = options.demo && prepareDemo({ dataDir, secret, endpoints, site, say, signal });
  const demo = await preparing?.catch((error) => {
    signal.throwIfAborted();
    say(`The demonstration could not be set up. ${publicError(error).message}`);
    return undefined;
  });
  return { baseUrl, endpoints, services, demo };
}

const endpointsOf = (baseUrl: string, services: Parley['services']): Endpoints => ({
  pid: process.pid,
  gateway: `${baseUrl}/v1`,
  auth: addressOf(services.auth),
  knowledge: addressOf(services.knowledge),
  assistants: addressOf(services.assistants),
  conversations: addressOf(services.conversations),
});

/** The server that the variables name, or else the embedded engine. */
async function database({ dataDir, variables, say }: ParleyOptions, stops: Stops) {
  const given = variables?.['MONGODB_URI'];
  if (given) return { uri: given, failed: new Promise<never>(() => {}) };
  say?.('Starting the database …');
  const engine = await startEngine({ dataDir });
  let stopping = false;
  stops.push(() => {
    stopping = true;
    return engine.stop();
  });
  const failed = engine.exited.then((): Promise<never> => {
    if (stopping) return new Promise(() => {});
    throw new Error('The embedded database has died. Nothing that was acknowledged is lost: start Parley again.');
  });
  failed.catch(() => {}); // It may die before anybody listens.
  return { uri: engine.uri, failed };
}

async function demoSite(
  dataDir: string,
  port: number,
  say: (line: string) => void,
  stops: Stops,
): Promise<DemoSite | undefined> {
  const site = await startDemoSite({ dataDir, port });
  if (site) stops.push(site.stop);
  else say('Another program has taken the port of the demo handbook: its pages can be cited, but not opened.');
  return site;
}
