import { appendFile, mkdir } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { basename, join } from 'node:path';
import { createDirectoryStore, type ObjectStore } from '@parley/runtime/objects';
import type { ReceivingLimits } from '../config.ts';
import { createMail, type MailProcess } from '../create.ts';
import type { Dependencies } from '../dependencies.ts';
import { UNCHECKED } from '../domain/senders.ts';

const INBOX = '01890a5d-ac96-474b-8cce-b302099a8057';

/**
 * A mail service that keeps everything in a directory: what it hands on is a line of `received`.
 *
 * @param at is called at each step of receiving a message
 */
export async function startMailOnFiles(
  dir: string,
  at: (step: string) => Promise<void>,
  limits: Partial<ReceivingLimits> = {},
): Promise<MailProcess> {
  const store = createDirectoryStore({ dir: join(dir, 'objects') });
  const objects: ObjectStore = {
    ...store,
    async put(key, ...what) {
      await at(`before ${basename(key)}`);
      const stored = await store.put(key, ...what);
      await at(`after ${basename(key)}`);
      return stored;
    },
  };
  const conversations = {
    admitMail: async () => ({ folder: 'mail/account/inbox/' }),
    async receiveMail({ message }: { message: string }, operation: string) {
      await appendFile(join(dir, 'received'), `${operation} ${message}\n`);
      await at('received');
      return {};
    },
    claimMail: async () => ({}),
  };
  const overrides = {
    ...{ objects, conversations, checkSender: async () => UNCHECKED },
    assistants: { resolveAssistant: async () => ({ accountId: INBOX, id: INBOX }) },
    calls: (_: string, operation: string) => operation,
  };
  await mkdir(dir, { recursive: true });
  await store.start?.(AbortSignal.timeout(60_000));
  const where = { listen: { host: '127.0.0.1', port: 0 }, domain: 'parley.example' };
  const mail = createMail(
    {
      ...{ ...where, name: 'mail', logLevel: 'silent', graceMs: 0 },
      ...{ secret: 'the secret of these tests, long enough', objects: { dir }, assistants: '', conversations: '' },
      limits: {
        ...{ trusted: new BlockList(), connections: 100, bytes: 2 ** 20, bytesInFlight: 2 ** 24, perMinute: 100 },
        ...limits,
      },
      sending: { to: { dir: join(dir, 'outbox') } },
    },
    overrides as unknown as Partial<Dependencies>,
  );
  await mail.start();
  return mail;
}
