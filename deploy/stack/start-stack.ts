import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBusConfig, readEnv, readRpcTls } from '../../packages/runtime/src/index.ts';
import { makeDataDir, readOrMakeSecret, writePrivate } from '../embedded/src/data-dir.ts';
import { databasesOf, type Endpoints, removeEndpoints, writeEndpoints } from '../embedded/src/endpoints.ts';
import { addressVariable, folderOf, forEachRpc, PROCESS_NAMES, type ProcessName, RPC_NAMES } from '../processes.ts';
import { endOf, freePort } from './server.ts';
import { type OwnServers, settled, startServers, type Variables } from './servers.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

export interface StackOptions {
  /** Created if it does not exist; contains the servers' data, the secret and `logs/`. */
  dataDir: string;
  /**
   * Variables of the services. KAFKA_BROKERS, MINIO_ENDPOINT (with its keys) and MONGODB_URI, if set, name servers to use
   * instead of starting them; without MONGODB_URI the embedded engine is started.
   */
  variables?: Variables;
  trainers?: number;
  /** Puts the bus into the database and files into a directory, as `npm start` does, instead of starting Kafka and MinIO. */
  embedded?: boolean;
  /** Where the gateway listens; any free port by default. */
  port?: number;
  /** The process, or all of them, whose debugger to open. */
  inspected?: ProcessName | 'all' | undefined;
  /** Receives a line for the user at each step. */
  say?: (line: string) => void;
}

/** The addresses that another process needs to join a running stack. */
export interface StackDescription {
  /** URL of the REST API, without `/v1`. */
  baseUrl: string;
  /** The shared secret, with which a test can act for an account. */
  secret: string;
  endpoints: Endpoints;
  /** Variables of the services, including the servers. */
  variables: Variables;
}

/** All of Parley, each service in a separate process, on real servers unless `embedded`. */
export interface Stack extends StackDescription, OwnServers {
  /** By name; trainers are numbered: `trainer-1`, ... */
  processes: Record<string, ServiceProcess>;
  logDir: string;
  /** Resolves when every process is ready; rejects, with the reasons and the ends of the logs, after 90 seconds. */
  allReady(): Promise<void>;
  /** Stops everything that was started, and nothing else. */
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/** A name that never leaves this machine (RFC 6761). */
const MAIL_DOMAIN = 'parley.localhost';
const READY_WITHIN_MS = 90_000;

/** Starts everything that is missing and waits until it is ready. If that fails, stops what it has started. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (let next = stops.pop(); next; next = stops.pop())
      await next().catch((error) => options.say?.(`Stopping: ${error.message}`));
  };
  try {
    const stack = await startAll(options, stops);
    await stack.allReady();
    return { ...stack, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startAll(options: StackOptions, stops: (() => Promise<unknown>)[]): Promise<Omit<Stack, 'stop'>> {
  const { variables: given = {}, trainers = 2, embedded = false, say = () => {} } = options;
  const dataDir = resolve(options.dataDir);
  const logDir = join(dataDir, 'logs');
  await makeDataDir(dataDir);
  await mkdir(logDir, { recursive: true });
  const secret = await readOrMakeSecret(dataDir);

  say('Starting the servers …');
  const { servers, variables } = await startServers(dataDir, given, stops, { embedded });
  const plan = await planProcesses(options, trainers);
  const mail = { MAIL_DOMAIN, ...(!variables['SMTP_URL'] && { MAIL_OUTBOX: join(dataDir, 'outbox') }) };
  const common = {
    LOG_LEVEL: 'info',
    ...mail,
    PUBLIC_URL: plan.baseUrl,
    ...variables,
    HOST: LOOPBACK,
    PARLEY_SECRET: secret,
    ...plan.addresses,
  };

  say('Starting the services …');
  const started: ServiceProcess[] = [];
  stops.push(() => Promise.all(started.map((process) => process.stop())));
  await settled(
    plan.processes.map(async ({ own, ...place }) => {
      started.push(await startServiceProcess({ ...place, logDir, variables: { ...common, ...own } }));
    }),
  );
  const env = readEnv(variables);
  const endpoints = {
    pid: process.pid,
    gateway: `${plan.baseUrl}/v1`,
    ...plan.services,
    rpcTls: readRpcTls(env),
    bus: readBusConfig(env, 'dead-letters'),
    databases: databasesOf(env),
  };
  await writeEndpoints(dataDir, endpoints);
  stops.push(() => removeEndpoints(dataDir));
  const processes = Object.fromEntries(started.map((process) => [process.name, process]));
  const allReady = () => waitUntilReady(started);
  return { baseUrl: plan.baseUrl, secret, endpoints, variables, processes, logDir, allReady, ...servers };
}

/** Decides which processes to run and where each listens. */
async function planProcesses({ port, inspected }: StackOptions, trainers: number) {
  const gatewayPort = port || (await freePort());
  const mailPort = await freePort();
  const rpcPorts = await Promise.all(RPC_NAMES.map(freePort));
  const services = forEachRpc((name) => `${LOOPBACK}:${rpcPorts[RPC_NAMES.indexOf(name)]}`);
  const listens: Partial<Record<ProcessName, Variables>> = {
    ...forEachRpc((name) => ({ RPC_PORT: `${rpcPorts[RPC_NAMES.indexOf(name)]}` })),
    gateway: { PORT: `${gatewayPort}` },
    mail: { MAIL_PORT: `${mailPort}`, PUBLIC_URL: `http://${LOOPBACK}:${gatewayPort}` },
  };
  const instances = PROCESS_NAMES.flatMap((process) => instancesOf(process, trainers));
  const opsPorts = await Promise.all(instances.map(freePort));
  return {
    baseUrl: `http://${LOOPBACK}:${gatewayPort}`,
    services,
    addresses: Object.fromEntries(RPC_NAMES.map((name) => [addressVariable(name), services[name]])),
    processes: instances.map(({ name, process }, index) => {
      const opsPort = opsPorts[index]!;
      const own: Variables = { OPS_PORT: `${opsPort}`, ...listens[process] };
      const inspect = inspected === 'all' || inspected === process;
      return { name, program: `${folderOf(process)}/src/main.ts`, opsPort, own, inspect };
    }),
  };
}

/** One instance of each process, but several of the trainer. */
function instancesOf(process: ProcessName, trainers: number): { name: string; process: ProcessName }[] {
  if (process !== 'trainer') return [{ name: process, process }];
  return Array.from({ length: trainers }, (_, i) => ({ name: `trainer-${i + 1}`, process }));
}

async function waitUntilReady(processes: ServiceProcess[]): Promise<void> {
  const end = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const states = await Promise.all(processes.map(async (process) => ({ process, reason: await process.unready() })));
    const unready = states.filter(({ reason }) => reason !== '');
    if (unready.length === 0) return;
    if (performance.now() > end) {
      const reports = unready.map(async ({ process: { name, logFile }, reason }) => {
        return `${name} is not ready after ${READY_WITHIN_MS / 1000} seconds: ${reason}\n${await endOf(logFile)}`;
      });
      throw new Error((await Promise.all(reports)).join('\n'));
    }
    await sleep(100);
  }
}

/** Writes what another process needs to join. The file contains secrets, so only this user can read it. */
export async function describeStack({ baseUrl, secret, endpoints, variables }: Stack, path: string): Promise<void> {
  const description: StackDescription = { baseUrl, secret, endpoints, variables };
  await writePrivate(path, JSON.stringify(description));
}
