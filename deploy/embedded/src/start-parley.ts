import { join } from 'node:path';
import { type BusConfig, createLog, readBusConfig, readEnv, readLogConfig } from '@parley/runtime';
import { publicError } from '@parley/runtime/rpc';
import { forEachRpc, type ProcessName } from '../../processes.ts';
import type { Variables } from './config.ts';
import { makeDataDir, type Secrets, secretVariables } from './data-dir.ts';
import { type Demo, prepareDemo } from './demo.ts';
import { type DemoSite, startDemoSite } from './demo-site.ts';
import { dependenciesOf, watchDependencies } from './dependencies.ts';
import { type Endpoints, removeEndpoints, writeEndpoints } from './endpoints.ts';
import { startEngine } from './engine/start-engine.ts';
import { checkPort, isFree, reachable } from './listen.ts';
import { addressOf, type Service, type Shared, startServices } from './services.ts';

export interface ParleyOptions {
  /** Created if it does not exist; holds everything that must outlive the process. */
  dataDir: string;
  /** Where the REST API listens; 127.0.0.1 by default. The services always listen on loopback. */
  host?: string;
  /** 0: any free port. */
  port: number;
  /** Sets up the demo; `port` is the preferred one of its site. */
  demo?: { port: number };
  /**
   * Variables of the services, named as in a cluster (MONGODB_URI, CRAWL_ALLOW, OPENAI_BASE_URL, ...). Without MONGODB_URI
   * the embedded engine is started.
   */
  variables?: Variables;
  /** Shared parts to use instead of those that the variables name, for benchmarks. */
  shared?: Partial<Shared>;
  /** Receives a line for the user at each step. */
  say?: (line: string) => void;
  /** Aborts a start in progress cleanly. */
  signal?: AbortSignal;
}

export interface Parley {
  /** URL of the REST API, without `/v1`. */
  baseUrl: string;
  endpoints: Endpoints;
  /** The shared secret, with which a test can act for an account. */
  secret: string;
  /** Each can be stopped and started again by itself. */
  services: Record<ProcessName, Service>;
  /** Where mail is received. */
  mail: { port: number; domain: string };
  demo: Demo | undefined;
  /** Rejects with a message when the engine has died or a service can't continue; never resolves. */
  failed: Promise<never>;
  /** Stops everything, in reverse starting order. */
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/** A name that never leaves this machine (RFC 6761). */
const MAIL_DOMAIN = 'parley.localhost';
const NEVER = new AbortController().signal;

/** Functions that stop what was started, to be called last first. */
type Stops = (() => Promise<unknown>)[];

/** Starts all of Parley in this process, over real gRPC on loopback. If that fails, stops what it has started. */
export async function startParley(options: ParleyOptions): Promise<Parley> {
  const stops: Stops = [];
  const { logLevel, logFormat } = readLogConfig(readEnv(options.variables ?? {}));
  const log = createLog('embedded', logLevel, logFormat);
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
  const secrets = await secretVariables(dataDir);
  const { variables = {}, say = () => {} } = options;
  const endWatch = watchDependencies(dependenciesOf(variables), say);
  stops.push(async () => endWatch());
  const engine = await database(options, stops);
  const started = await Promise.race([startOn(engine.uri, secrets, options, stops), engine.failed]);
  const failed = Promise.race([engine.failed, ...Object.values(started.services).map((service) => service.failed)]);
  failed.catch(() => {}); // Prevents an unhandled rejection before anyone awaits it.
  return { secret: secrets.PARLEY_SECRET, failed, ...started };
}

async function startOn(uri: string, secrets: Secrets, options: ParleyOptions, stops: Stops) {
  const { dataDir, host = LOOPBACK, port, variables = {}, shared = {}, say = () => {}, signal = NEVER } = options;
  signal.throwIfAborted();
  const site = options.demo && (await demoSite(dataDir, options.demo.port, say, stops));

  say('Starting the services …');
  const settings: Variables = {
    ...variables,
    PORT: undefined,
    // The services of one process can't share one port.
    OPS_PORT: undefined,
    ...secrets,
    MONGODB_URI: uri,
    OBJECTS_DIR: join(dataDir, 'objects'),
    INDEX_DIR: variables['INDEX_DIR'] ?? join(dataDir, 'index'),
    MAIL_DOMAIN: variables['MAIL_DOMAIN'] ?? MAIL_DOMAIN,
    MAIL_OUTBOX: variables['MAIL_OUTBOX'] ?? join(dataDir, 'outbox'),
    CRAWL_ALLOW: [variables['CRAWL_ALLOW'], site?.address].filter(Boolean).join(','),
  };
  const urlOf = (gateway: Service | undefined) => `http://${reachable(host)}:${gateway?.port}`;
  const mailPort = await portForMail(Number(variables['MAIL_PORT'] ?? 0));
  const ownOf = (name: ProcessName, { gateway }: { gateway?: Service }): Variables => {
    if (name === 'gateway') return { HOST: host, PORT: String(port) };
    if (name === 'mail') return { PORT: String(mailPort), PUBLIC_URL: variables['PUBLIC_URL'] ?? urlOf(gateway) };
    return {};
  };
  const services = await startServices(settings, ownOf, shared, stops, signal);

  const baseUrl = urlOf(services.gateway);
  const endpoints = endpointsOf(baseUrl, services, readBusConfig(readEnv(settings), 'dead-letters'));
  await writeEndpoints(dataDir, endpoints);
  stops.push(() => removeEndpoints(dataDir));
  const secret = secrets.PARLEY_SECRET;
  const seed = secrets.PARLEY_KEY_PEPPER ?? secret;
  const preparing = options.demo && prepareDemo({ dataDir, secret, seed, endpoints, site, say, signal });
  const demo = await preparing?.catch((error) => {
    signal.throwIfAborted();
    say(`The demo could not be set up. ${publicError(error).message}`);
    return undefined;
  });
  const gateway = variables['PUBLIC_URL'] ?? baseUrl;
  if (demo) site?.embed(`<script async src="${gateway}/widget.js" data-chatbot="${demo.publicId}"></script>`);
  const mail = { port: services.mail.port, domain: settings['MAIL_DOMAIN']! };
  return { baseUrl, endpoints, services, mail, demo };
}

/** Another program may have the usual port: mail is then received on a free one. */
const portForMail = async (port: number): Promise<number> => ((await isFree(LOOPBACK, port)) ? port : 0);

const endpointsOf = (baseUrl: string, services: Parley['services'], bus: BusConfig): Endpoints => ({
  bus,
  pid: process.pid,
  gateway: `${baseUrl}/v1`,
  ...forEachRpc((name) => addressOf(services[name])),
});

/** The server named in the variables, or else the embedded engine. */
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
    throw new Error('The embedded database has died. No acknowledged write is lost: start Parley again.');
  });
  failed.catch(() => {}); // Prevents an unhandled rejection before anyone awaits it.
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
