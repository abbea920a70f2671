import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Certificate, type Component, readCertificate, watchCertificate } from '@parley/runtime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { MailConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { collect } from './collect.ts';
import { createLimits, type Limits } from './limits.ts';
import { type Receiving, receive } from './receive.ts';
import { type Leaver, type Recipient, resolveRecipient } from './recipients.ts';
import { refusalOf, tryLater } from './refusal.ts';

const IDLE_MS = 60_000;
/** A client that sends a byte now and then would never be idle. */
const SESSION_MS = 15 * 60_000;
const MAX_RECIPIENTS = 50;

export interface MailServer extends Component {
  /** Once started. */
  port(): number;
}

type ServerDependencies = Receiving & Pick<Dependencies, 'tokens'>;

/** The state of a client. */
interface Client {
  recipients: Map<string, Recipient | Leaver>;
  timer: NodeJS.Timeout;
}

/** Receives mail over SMTP: for its own inboxes and threads only, never as a relay. */
export function createMailServer(config: MailConfig, dependencies: ServerDependencies): MailServer {
  const { listen, domain, tls, graceMs } = config;
  const limits = createLimits(config.limits);
  let server: SMTPServer | undefined;
  const certificate = tls && readCertificate(tls);
  const certificates =
    tls &&
    certificate &&
    watchCertificate(tls, dependencies.log, certificate, (renewed) => server?.updateSecureContext(renewed));
  let port = listen.port;
  return {
    name: 'SMTP server',
    port: () => port,
    async start() {
      server = createServer(config, dependencies, limits, certificate);
      server.on('error', (error) => dependencies.log.debug({ err: error }, 'a connection of an SMTP client failed'));
      await once(server.listen(port, listen.host), 'listening');
      port = (server.server.address() as AddressInfo).port;
      await certificates?.start();
      dependencies.log.info({ port, domain, tls: tls !== undefined }, 'receiving mail');
    },
    async stop() {
      await certificates?.stop();
      // Ends connections once their messages are received, and cuts off what takes longer than the grace period.
      await new Promise<void>((resolve) => (server ? server.close(resolve) : resolve()));
    },
    stopMs: graceMs + 5_000,
  };
}

function createServer(
  { domain, limits: { connections, bytes }, graceMs }: MailConfig,
  dependencies: ServerDependencies,
  limits: Limits,
  certificate: Certificate | undefined,
): SMTPServer {
  const clients = new WeakMap<SMTPServerSession, Client>();

  const server = new SMTPServer({
    ...{ name: domain, banner: 'Parley', size: bytes, maxClients: connections, maxRecipients: MAX_RECIPIENTS },
    // Replies begin with enhanced status codes of our own; the server's would stand before them.
    hideENHANCEDSTATUSCODES: true,
    ...{ authOptional: true, disabledCommands: certificate ? ['AUTH'] : ['AUTH', 'STARTTLS'] },
    ...{ disableReverseLookup: true, socketTimeout: IDLE_MS, closeTimeout: graceMs },
    ...certificate,
    logger: false,

    onConnect: answered((session: SMTPServerSession) => {
      limits.connect(session.remoteAddress);
      const timer = setTimeout(() => disconnect(session), SESSION_MS).unref();
      clients.set(session, { recipients: new Map(), timer });
    }),
    onClose(session) {
      const client = clients.get(session);
      if (!client) return;
      clearTimeout(client.timer);
      clients.delete(session);
      limits.disconnect(session.remoteAddress);
    },
    onMailFrom: answered((_address, session: SMTPServerSession) => {
      clients.get(session)!.recipients.clear();
      limits.begin(session.remoteAddress);
    }),
    onRcptTo: answered(async ({ address }: { address: string }, session: SMTPServerSession) => {
      const recipient = await resolveRecipient(dependencies, address, senderIn(session));
      clients.get(session)?.recipients.set(address, recipient);
    }),
    onData: answered(async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
      using collected = await collect(stream, session.remoteAddress, bytes, limits);
      const { recipients } = clients.get(session) ?? {};
      if (!recipients) throw tryLater();
      await receive(dependencies, {
        raw: collected.raw,
        recipients: session.envelope.rcptTo.map(({ address }) => recipients.get(address)!),
        ip: session.remoteAddress,
        helo: session.hostNameAppearsAs || session.remoteAddress,
        envelopeFrom: senderIn(session),
        isTrusted: limits.isTrusted(session.remoteAddress),
        client: limits.clientOf(session.remoteAddress),
      });
    }),
  });

  function disconnect({ id }: SMTPServerSession) {
    for (const connection of server.connections) if (connection.id === id) connection.close();
  }

  return server;
}

const senderIn = ({ envelope: { mailFrom } }: SMTPServerSession): string => (mailFrom ? mailFrom.address : '');

type Callback = (error?: Error | null) => void;

/** A handler that tells the client why it is refused, and never more than that. */
const answered =
  <A extends unknown[]>(handle: (...args: A) => void | Promise<void>) =>
  (...given: [...A, Callback]): void => {
    const callback = given.pop() as Callback;
    const handling = async () => handle(...(given as unknown as A));
    handling().then(
      () => callback(),
      (error) => callback(refusalOf(error)),
    );
  };
