import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataDir, readOrMakeSecret, writePrivate } from '../embedded/src/data-dir.ts';
import { type Endpoints, removeEndpoints, writeEndpoints } from '../embedded/src/endpoints.ts';
import { endOf, freePort } from './server.ts';
import { type OwnServers, settled, startServers, type Variables } from './servers.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

export interface StackOptions {
  /** Made where it is missing; holds the servers' data, the secret and `logs/`. */
  dataDir: string;
  /**
   * What the services are told. KAFKA_BROKERS, MINIO_ENDPOINT (with its keys) and MONGODB_URI, where set, are used instead
   * of servers of its own; without MONGODB_URI that is the embedded engine.
   */
  variables?: Variables;
  trainers?: number;
  /** Where the gateway listens; any free port by default. */
  port?: number;
  /** Gets a line for the user at each step. */
  say?: (line: string) => void;
}

/** What another process needs to join a running stack. */
export interface StackDescription {
  /** Of the REST API, without `/v1`. */
  baseUrl: string;
  /** With which a test may speak for an account. */
  secret: string;
  endpoints: Endpoints;
  /** What the services are told, the servers included. */
  variables: Variables;
}

/** All of Parley, each service in a process of its own, on real servers. */
export interface Stack extends StackDescription, OwnServers {
  /** By name: `auth`, `knowledge`, `conversations`, `assistants`, `trainer-1`, ..., `gateway`. */
  processes: Record<string, ServiceProcess>;
  logDir: string;
  /** Resolves when every process is ready; rejects, with the reasons and the ends of the logs, after 90 seconds. */
  allReady(): Promise<void>;
  /** All that was started, and nothing else. */
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const READY_WITHIN_MS = 90_000;
const SERVICES = ['auth', 'knowledge', 'conversations', 'assistants'] as const;

/** Starts what is missing and waits until it is ready. What was started is stopped again where it fails. */
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
  const { variables: given = {}, trainers = 2, say = () => {} } = options;
  const dataDir = resolve(options.dataDir);
  const logDir = join(dataDir, 'logs');
  await makeDataDir(dataDir);
  await mkdir(logDir, { recursive: true });
  const secret = await readOrMakeSecret(dataDir);

  say('Starting the servers …');
  const { servers, variables } = await startServers(dataDir, given, stops);
  const plan = await planProcesses(trainers, options.port);
  const told = { LOG_LEVEL: 'info', ...variables, HOST: LOOPBACK, PARLEY_SECRET: secret, ...plan.addresses };

  say('Starting the services …');
  const started: ServiceProcess[] = [];
  stops.push(() => Promise.all(started.map((process) => process.stop())));
  await settled(
    plan.processes.map(async ({ own, ...place }) => {
      started.push(await startServiceProcess({ ...place, logDir, variables: { ...told, ...own } }));
    }),
  );
  const endpoints = { pid: process.pid, gateway: `${plan.baseUrl}/v1`, ...plan.services };
  await writeEndpoints(dataDir, endpoints);
  stops.push(() => removeEndpoints(dataDir));
  const processes = Object.fromEntries(started.map((process) => [process.name, process]));
  const allReady = () => waitUntilReady(started);
  return { baseUrl: plan.baseUrl, secret, endpoints, variables, processes, logDir, allReady, ...servers };
}

/** Which processes there are, and where each listens. */
async function planProcesses(trainers: number, port?: number) {
  const rpcPorts = await Promise.all(SERVICES.map(freePort));
  const opsPorts = await Promise.all(Array.from({ length: SERVICES.length + trainers }, freePort));
  const gatewayPort = port || (await freePort());
  const addressAt = (index: number) => `${LOOPBACK}:${rpcPorts[index]}`;
  const services = {
    auth: addressAt(0),
    knowledge: addressAt(1),
    conversations: addressAt(2),
    assistants: addressAt(3),
  };
  const operated = (name: string, folder: string, index: number, own: Variables = {}) => {
    const opsPort = opsPorts[index]!;
    return { name, program: `services/${folder}/src/main.ts`, opsPort, own: { OPS_PORT: `${opsPort}`, ...own } };
  };
  return {
    baseUrl: `http://${LOOPBACK}:${gatewayPort}`,
    services,
    addresses: Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_ADDRESS`, services[name]])),
    processes: [
      ...SERVICES.map((name, i) => operated(name, name, i, { RPC_PORT: `${rpcPorts[i]}` })),
      ...Array.from({ length: trainers }, (_, i) => operated(`trainer-${i + 1}`, 'trainer', SERVICES.length + i)),
      // It answers operators on its one port.
      { name: 'gateway', program: 'gateway/src/main.ts', opsPort: gatewayPort, own: { PORT: `${gatewayPort}` } },
    ],
  };
}

async function waitUntilReady(processes: ServiceProcess[]): Promise<void> {
  const end = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const asked = await Promise.all(processes.map(async (process) => ({ process, reason: await process.unready() })));
    const unready = asked.filter(({ reason }) => reason !== '');
    if (unready.length === 0) return;
    if (performance.now() > end) {
      const told = unready.map(async ({ process: { name, logFile }, reason }) => {
        return `${name} is not ready after ${READY_WITHIN_MS / 1000} seconds: ${reason}\n${await endOf(logFile)}`;
      });
      throw new Error((await Promise.all(told)).join('\n'));
    }
    await sleep(100);
  }
}

/** Writes what another process needs to join. The file holds secrets: it is this user's alone. */
export async function describeStack({ baseUrl, secret, endpoints, variables }: Stack, path: string): Promise<void> {
  const description: StackDescription = { baseUrl, secret, endpoints, variables };
  await writePrivate(path, JSON.stringify(description));
}
