/**
 * Sends a mail to an inbox as another server would, replies to it through the API, and receives the reply as the server that
 * the chart sends through. Its last line reports what became of both.
 */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { until } from '@parley/runtime/testing';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { must } from '../../e2e/api.ts';
import type { Page, Thread } from '../../e2e/resources.ts';
import { newAccount, tell } from './world.ts';

const [host, domain, port] = process.argv.slice(2);

const sent: string[] = [];
const sink = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _, done) =>
    void text(stream).then((mail) => {
      sent.push(mail);
      done();
    }, done),
});
sink.listen(Number(port));
await once(sink.server, 'listening');

const account = await newAccount('Mail');
const alias = `support-${Date.now().toString(36)}`;
const { id } = must(await account.api.post<{ id: string }>('/email-inboxes', { alias, title: 'Support' }));
await createTransport({ host: host!, port: 25, ignoreTLS: true }).sendMail({
  ...{ from: `Ann <${alias}@example.com>`, to: `${alias}@${domain}`, subject: 'My lamp', text: 'It flickers.' },
});
const { items } = must(await account.api.get<Page<Thread>>(`/email-inbox/${id}/emails`));
must(await account.api.post(`/email-inbox/${id}/emails/${items[0]!.id}/reply`, { message: 'Change the bulb.' }));
// Mails of other tests may go out first.
const reply = await until(
  () => sent.find((mail) => mail.includes(`To: Ann <${alias}@example.com>`)) ?? '',
  (mail) => mail !== '',
);
await new Promise<void>((resolve) => sink.close(resolve));
tell({ subject: items[0]!.subject, says: reply.includes('Change the bulb.') });
process.exit();
