import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { cacheDirectory } from './config.ts';
import { kafkaJars } from './kafka-jars.ts';
import { freePort, type LastingServer, type LastingServerOptions, startLasting, startServer } from './server.ts';

/** One real Kafka broker on the loopback address, controller included. */
export interface KafkaServer extends LastingServer {
  /** `host:port`, the same after a restart, which takes a few seconds longer after SIGKILL. */
  readonly brokers: string;
  /** The address of the second listener, if it has one. */
  readonly secured: string;
}

interface KafkaOptions extends LastingServerOptions {
  /** `host:port` that the broker advertises to clients instead of its own (`advertised.listeners`), for a proxy. */
  advertised?: string;
  /** A second listener, with TLS, for those who sign in. */
  secured?: Secured;
}

export interface Secured {
  /** PEM: the private key, its certificate. */
  key: string;
  certificate: string;
  username: string;
  password: string;
}

/**
 * Starts a broker; when this resolves, it is ready for any Kafka client. Needs Java 17, and Maven the first time.
 *
 * @throws Error that says why it is not available: no Java, no Maven, or a port in use.
 */
export async function startKafka(options: KafkaOptions): Promise<KafkaServer> {
  const { dataDir, cacheDir = cacheDirectory(), port = await freePort(), secured } = options;
  const jars = await kafkaJars(cacheDir);
  const brokers = `127.0.0.1:${port}`;
  const { advertised = brokers } = options;
  const addresses: Addresses = {
    brokers,
    advertised,
    controller: `127.0.0.1:${await freePort()}`,
    ...(secured && { secured: { ...secured, address: `127.0.0.1:${await freePort()}` } }),
  };
  const files = await writeFiles(resolve(dataDir), addresses);
  if (!(await isFormatted(files.messages))) await format(jars, files, secured);
  const start = () =>
    startServer({
      name: 'Kafka',
      command: 'java',
      args: [...JVM, '-Xms256m', '-Xmx256m', ...programOf(jars, files), 'kafka.Kafka', files.server],
      logFile: files.log,
      answers: () => answers(brokers),
    });
  return Object.assign(await startLasting(start), { brokers, secured: addresses.secured?.address ?? '' });
}

/** Tuned for short runs: using only the fast compiler halves the startup time. */
const JVM = ['-XX:+UseSerialGC', '-XX:+ExitOnOutOfMemoryError', '-XX:TieredStopAtLevel=1', '-Djava.awt.headless=true'];

const programOf = (jars: string, files: Files) => [
  `-Dlog4j2.configurationFile=${files.logging}`,
  '-cp',
  join(jars, '*'),
];

/** Each is a `host:port`. */
interface Addresses {
  brokers: string;
  advertised: string;
  controller: string;
  secured?: Secured & { address: string };
}

interface Files {
  server: string;
  identity: string;
  logging: string;
  log: string;
  messages: string;
}

async function writeFiles(directory: string, addresses: Addresses): Promise<Files> {
  const files = {
    server: join(directory, 'server.properties'),
    identity: join(directory, 'identity.pem'),
    logging: join(directory, 'log4j2.properties'),
    log: join(directory, 'kafka.log'),
    messages: join(directory, 'messages'),
  };
  await mkdir(directory, { recursive: true });
  const { secured } = addresses;
  if (secured) await writeFile(files.identity, `${secured.key}${secured.certificate}`, { mode: 0o600 });
  await writeFile(files.server, properties({ ...cluster(addresses, files), ...SMALL, ...QUICK }));
  await writeFile(files.logging, properties(LOGGING));
  return files;
}

const properties = (entries: Record<string, string | number | boolean>) =>
  Object.entries(entries)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

const cluster = ({ brokers, advertised, controller, secured }: Addresses, { messages, identity }: Files) => ({
  'process.roles': 'broker,controller',
  'node.id': 1,
  listeners: `PLAINTEXT://${brokers},CONTROLLER://${controller}${secured ? `,SASL_SSL://${secured.address}` : ''}`,
  'advertised.listeners': `PLAINTEXT://${advertised}${secured ? `,SASL_SSL://${secured.address}` : ''}`,
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL',
  'controller.listener.names': 'CONTROLLER',
  'controller.quorum.voters': `1@${controller}`,
  'log.dirs': messages,
  'auto.create.topics.enable': false,
  ...(secured && signIn(secured, identity)),
});

const signIn = ({ username, password }: Secured, identity: string) => ({
  'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
  'listener.name.sasl_ssl.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required user_${username}="${password}";`,
  ...Object.fromEntries(
    ['256', '512'].map((bits) => [
      `listener.name.sasl_ssl.scram-sha-${bits}.sasl.jaas.config`,
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    ]),
  ),
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.location': identity,
});

/** One broker, 256 MB of heap. */
const SMALL = {
  'default.replication.factor': 1,
  'offsets.topic.replication.factor': 1,
  'offsets.topic.num.partitions': 4,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'share.coordinator.state.topic.replication.factor': 1,
  'share.coordinator.state.topic.min.isr': 1,
  'log.cleaner.dedupe.buffer.size': 16 * 1024 * 1024,
  'log.segment.bytes': 64 * 1024 * 1024,
};

/** Shortens waits in tests: of a group's first member for others, and of a killed broker for its previous session. */
const QUICK = {
  'group.initial.rebalance.delay.ms': 0,
  'broker.session.timeout.ms': 3_000,
  'broker.heartbeat.interval.ms': 500,
};

const LOGGING = {
  'appender.out.type': 'Console',
  'appender.out.name': 'out',
  'appender.out.layout.type': 'PatternLayout',
  'appender.out.layout.pattern': '%d{ISO8601} %p %m (%c{1})%n',
  'rootLogger.level': 'warn',
  'rootLogger.appenderRef.out.ref': 'out',
};

const isFormatted = (messages: string) =>
  stat(join(messages, 'meta.properties')).then(
    () => true,
    () => false,
  );

async function format(jars: string, files: Files, secured?: Secured) {
  const scram = ['256', '512'].flatMap((bits) =>
    secured ? ['--add-scram', `SCRAM-SHA-${bits}=[name=${secured.username},password=${secured.password}]`] : [],
  );
  const args = [...JVM, ...programOf(jars, files), 'kafka.tools.StorageTool', 'format', '-t', clusterId(), ...scram];
  await promisify(execFile)('java', [...args, '-c', files.server], { timeout: 60_000 }).catch((error) => {
    const reason = error.code === 'ENOENT' ? 'Java is not installed.' : `${error.stdout}${error.stderr}`.trim();
    throw new Error(`Kafka could not start: its data directory can't be prepared. ${reason || error.message}`);
  });
}

/** 16 random bytes; a leading `-` would be parsed as an option. */
const clusterId = () => randomBytes(16).toString('base64url').replace(/^-/, 'A');

/** A broker that is not ready is not listed; one that hangs accepts connections but does not respond. */
async function answers(brokers: string): Promise<boolean> {
  const retry = { retries: 0 };
  const kafka = new Kafka({ brokers: [brokers], requestTimeout: 2_000, retry, logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length > 0;
  } catch {
    return false;
  } finally {
    await admin.disconnect();
  }
}
