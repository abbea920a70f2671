import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import { createTokens } from '../tokens.ts';
import { messageMail } from './compose.ts';

const parts = { domain: 'parley.example', tokens: createTokens('the secret of these tests, long enough') };
const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

/** The header fields of the mail, unfolded. */
async function headersOf(text: string, subject: string, name: string): Promise<string[]> {
  const claimed = { claim: { mailId: '01890a5d-ac96-474b-8cce-b302099a8057' }, messageId: 'm@parley.example' };
  const to = { toEmail: 'ann@example.com', toName: name };
  const says = { text, subject, senderName: name, automatic: true, references: ['a@b'] };
  const mail = messageMail(parts, { ...claimed, ...to } as never, says as never, {
    title: 'Support',
    alias: 'support',
  });
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
