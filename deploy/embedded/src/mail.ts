import { createMail, type MailProcess, readConfig } from '@parley/mail';
import { readEnv } from '@parley/runtime';
import type { Variables } from './config.ts';

const LOOPBACK = '127.0.0.1';
/** A name that never leaves this machine (RFC 6761). */
export const MAIL_DOMAIN = 'parley.localhost';

/** Where mail is received, and what becomes of what is sent. */
export interface Mail {
  port: number;
  domain: string;
}

/** Starts the mail service, on the port in `variables` or, if another program has that, on a free one. */
export async function startMail(variables: Variables, stops: (() => Promise<unknown>)[]): Promise<Mail> {
  const ports = [variables['MAIL_PORT'], '0'];
  for (const [at, MAIL_PORT] of ports.entries()) {
    const config = readConfig(readEnv({ ...variables, HOST: LOOPBACK, MAIL_PORT }));
    const mail = createMail(config);
    try {
      await mail.start();
      stops.push(() => mail.stop());
      return { port: mail.port(), domain: config.domain };
    } catch (error) {
      await stopped(mail);
      if (at > 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error('No port is free.');
}

const stopped = (mail: MailProcess) => mail.stop().catch(() => {});
