import { expect, test } from '@jest/globals';
import {
  type ClaimMailResponse,
  NoticeTopic,
  ThreadKind,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { createTicketTokens } from '@parley/runtime';
import { randomId } from '@parley/runtime/rpc';
import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import { createTokens } from '../tokens.ts';
import { linkMail, messageMail, noticeMail } from './compose.ts';

const secret = 'the secret of these tests, long enough';
const ticketTokens = createTicketTokens(secret);
const tokens = createTokens(secret);
const dependencies = { domain: 'parley.example', tokens, ticketTokens, publicUrl: 'https://help.example/api' };
const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

const inbox = { id: randomId(), title: 'Support', alias: 'support' };
const form = { id: randomId(), title: 'Repairs', publicId: 'AbCdEfGhIjKl' };
const claimed = {
  ...{ claim: { mailId: '01890a5d-ac96-474b-8cce-b302099a8057' }, messageId: 'm@parley.example' },
  ...{
    accountId: randomId(),
    threadId: randomId(),
    link: 3,
    kind: ThreadKind.TICKET,
    toEmail: 'ann@example.com',
    toName: '',
  },
} as unknown as ClaimMailResponse;

/** The header fields of the mail, unfolded. */
async function headersOf(text: string, subject: string, name: string): Promise<string[]> {
  const says = { text, subject, senderName: name, automatic: true, references: ['a@b'] };
  const mail = messageMail(dependencies, { ...claimed, toName: name }, says as never, inbox);
  const { message } = await composer.sendMail(mail);
  const [head = ''] = String(message).split('\r\n\r\n');
  return head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
}

test('whatever stands in a name, a subject or a text, no header is added', async () => {
  const odd = fc.string({
    unit: fc.constantFrom('\r', '\n', '\u2028', '\0', 'Bcc: eve@example.com', 'a', ' ', '"', '<', 'ü', ','),
  });
  const names = (headers: string[]) => headers.map((header) => header.split(':')[0]).sort();
  const expected = names(await headersOf('Hello.', 'Lamp', 'Ann'));
  await fc.assert(
    fc.asyncProperty(odd, odd, odd, async (text, subject, name) => {
      expect(names(await headersOf(`x${text}`, subject, name))).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test('whoever has opened a ticket gets a link to it, and to nothing else; an email has none', () => {
  const says = { text: 'Change the bulb.', subject: '', senderName: '', automatic: false, references: [] } as never;
  for (const mail of [linkMail(dependencies, claimed, form), messageMail(dependencies, claimed, says, form)]) {
    const [, token] = /https:\/\/help\.example\/api\/form\/AbCdEfGhIjKl#([\w-]+)/.exec(mail.text as string)!;
    const { accountId: account, threadId: ticket, link } = claimed;
    expect(ticketTokens.open(token!)).toEqual({ account, form: form.id, ticket, link });
  }
  expect(messageMail(dependencies, claimed, says, inbox).text).toBe('Change the bulb.');
  expect(() => linkMail({ ...dependencies, publicUrl: undefined }, claimed, form)).toThrow('PUBLIC_URL');
});

test('the mail with a link is automatic, and says nothing that was typed into the form', () => {
  const mail = linkMail(dependencies, claimed, form);
  expect(mail).toMatchObject({ subject: 'Repairs', headers: { 'Auto-Submitted': 'auto-generated' } });
  expect(mail.replyTo).toBe(`reply+${tokens.write(claimed.claim!.mailId)}@parley.example`);
});

test('a notice names the conversation, says that a reply reaches nobody, and how to get no more', async () => {
  const notice = { topic: NoticeTopic.WAITING, threads: 2 } as never;
  const mail = noticeMail(dependencies, claimed, notice, form);
  expect(mail.text).toContain(`https://help.example/api/v1/ticket-form/${form.id}/tickets/${claimed.threadId}`);
  expect(mail.text).toContain('A reply to it reaches nobody');
  const leave = `leave+${tokens.write(claimed.claim!.mailId)}@parley.example`;
  const { message } = await composer.sendMail(mail);
  expect(String(message).replace(/\r\n[ \t]+/g, ' ')).toContain(
    `\r\nList-Unsubscribe: <mailto:${leave}?subject=unsubscribe>\r\n`,
  );
});
