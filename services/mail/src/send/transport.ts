import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Component, ConfigError } from '@parley/runtime';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { SendingConfig } from '../config.ts';

/** A mail to be sent. */
export interface Message extends SendMailOptions {
  /** Names the file, where mail is written to a directory. */
  mailId: string;
}

/** The way out. */
export interface Transport extends Component {
  /** Resolves once the next server, or the disk, has the mail. @throws NotSent */
  send(message: Message): Promise<void>;
}

/** Why a mail was not sent. */
export class NotSent extends Error {
  override name = 'NotSent';
  /** Trying again would not help. */
  readonly isFinal: boolean;

  /** @param reason what a person may read */
  constructor(reason: string, isFinal: boolean, cause?: unknown) {
    super(reason, { cause });
    this.isFinal = isFinal;
  }
}

const CONNECT_MS = 20_000;
const SOCKET_MS = 60_000;
const MAX_CONNECTIONS = 5;
const MAX_REASON = 300;

interface Dkim {
  domainName: string;
  keySelector: string;
  privateKey: string;
}

/** Sends through a server, or writes each mail to a file. */
export function createMailTransport({ to, dkim }: SendingConfig, domain: string): Transport {
  let send: Transport['send'];
  let close = () => {};
  return {
    name: 'mail transport',
    async start() {
      const signed = dkim && { dkim: await readDkim(dkim, domain) };
      if ('dir' in to) send = await writeTo(to.dir, signed);
      else ({ send, close } = sendThrough(to.smtp, signed));
    },
    send: (message) => send(message),
    stop: async () => close(),
  };
}

async function readDkim({ keyFile, selector }: { keyFile: string; selector: string }, domain: string): Promise<Dkim> {
  const privateKey = await readFile(keyFile, 'utf8').catch((error) => {
    throw new ConfigError(`The file of MAIL_DKIM_KEY can't be read: ${(error as NodeJS.ErrnoException).code}.`);
  });
  return { domainName: domain, keySelector: selector, privateKey };
}

type Signed = { dkim: Dkim } | undefined;

function sendThrough(url: string, signed: Signed) {
  const timeouts = { connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SOCKET_MS };
  const server = createTransport({ url, pool: true, maxConnections: MAX_CONNECTIONS, ...timeouts, ...signed });
  return {
    close: () => server.close(),
    async send(message: Message) {
      await server.sendMail(safe(message)).catch((error) => {
        throw notSent(error);
      });
    },
  };
}

/** Shows the server's words only: the system's error about a connection may name internal hosts. */
function notSent(error: unknown): NotSent {
  const { responseCode, response } = error as { responseCode?: number; response?: string };
  if (responseCode === undefined) return new NotSent('The mail server could not be reached.', false, error);
  // Those that refuse us refuse every mail, until someone changes a setting.
  const isOurs = responseCode === 530 || responseCode === 535;
  const reason = (response ?? String(responseCode)).replace(/\s+/g, ' ').slice(0, MAX_REASON);
  return new NotSent(reason, responseCode >= 500 && !isOurs, error);
}

/** Each mail is a file that appears at once. Writing it again makes no second one. */
async function writeTo(dir: string, signed: Signed): Promise<Transport['send']> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...signed });
  return async (message) => {
    const { message: content } = await composer.sendMail(safe(message));
    const file = join(dir, `${message.mailId}.eml`);
    const handle = await open(`${file}.tmp`, 'w', 0o600);
    try {
      await handle.writeFile(content as Buffer);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${file}.tmp`, file);
  };
}

/** A mail is text: nothing in it names a file or an address to read. */
const safe = ({ mailId, ...message }: Message): SendMailOptions => ({
  ...message,
  disableFileAccess: true,
  disableUrlAccess: true,
});
