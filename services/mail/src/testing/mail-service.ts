import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type { ReceiveMailRequestSchema } from '@parley/proto/conversations/v1/conversations_service_pb';
import { readMail } from '@parley/reading/mail';
import { createDirectoryStore, type ObjectStore } from '@parley/runtime/objects';
import { randomId } from '@parley/runtime/rpc';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { MailConfig } from '../config.ts';
import { createMail } from '../create.ts';
import type { Dependencies } from '../dependencies.ts';
import { createCheckSender } from '../receive/check-sender.ts';

export const DOMAIN = 'parley.example';
const ACCOUNT = randomId();

type Received = Exclude<MessageInitShape<typeof ReceiveMailRequestSchema>, { $typeName: string }> & {
  operation: string;
};

interface Options {
  limits?: Partial<MailConfig['limits']>;
  tls?: MailConfig['tls'];
  /** Records in DNS: by type and name. Nothing else exists. */
  dns?: Record<string, string[][]>;
  objects?: Partial<ObjectStore>;
}

/** Doubles of the other services: the inbox `support` exists, Eve is blocked, and each message is kept once. */
function services() {
  const received = new Map<string, Received>();
  const state = {
    received,
    /** The code that RPCs are refused with. */
    fails: undefined as Code | undefined,
    beforeReceive: async () => {},
    bounced: [] as unknown[],
  };
  const fail = () => {
    if (state.fails) throw new ConnectError('refused', state.fails);
  };
  const conversations = {
    async admitMail({ fromEmail, assistantId }: { fromEmail: string; assistantId: string }) {
      fail();
      if (fromEmail.startsWith('eve@')) throw new ConnectError('blocked', Code.PermissionDenied);
      return { folder: `mail/${ACCOUNT}/${assistantId}/` };
    },
    async findSentMail() {
      throw new ConnectError('none', Code.NotFound);
    },
    async receiveMail(request: Received, { operation }: { operation: string }) {
      await state.beforeReceive();
      fail();
      received.set(operation, { ...request, operation });
      return {};
    },
    async reportBounce(request: unknown) {
      state.bounced.push(request);
      return {};
    },
    claimMail: async () => ({}),
  };
  const assistants = {
    async resolveAssistant({ id }: { id: string }) {
      fail();
      if (id !== 'support' && id !== 'sales') throw new ConnectError('none', Code.NotFound);
      return { accountId: ACCOUNT, id: `01890a5d-ac96-474b-8cce-${id === 'sales' ? '2' : '1'}02099a80570` };
    },
  };
  return { state, conversations, assistants };
}

/** The mail service by itself, with a directory for files. */
export async function mailService({ limits = {}, tls, dns = {}, objects = {} }: Options = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'parley-mail-'));
  const store = createDirectoryStore({ dir });
  await store.start?.(AbortSignal.timeout(60_000));
  const { state, conversations, assistants } = services();
  const config: MailConfig = {
    ...{
      name: 'mail',
      logLevel: 'silent',
      graceMs: 1_000,
      listen: { host: '127.0.0.1', port: 0 },
      domain: DOMAIN,
      tls,
    },
    ...{
      secret: 'the secret of these tests, long enough',
      objects: { dir },
      assistants: 'none:1',
      conversations: 'none:1',
    },
    limits: {
      ...{ trusted: new BlockList(), connections: 1_000, bytes: 2 ** 20, bytesInFlight: 2 ** 24, perMinute: 1_000 },
      ...limits,
    },
    sending: { to: { dir: join(dir, 'outbox') } },
  };
  const lookUp = async (name: string, type: string) => {
    const found = dns[`${type} ${name.toLowerCase()}`];
    if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return found;
  };
  const overrides = {
    objects: { ...store, ...objects },
    ...{ conversations, assistants, checkSender: createCheckSender(DOMAIN, lookUp as never) },
    // Other tests read in processes of their own, which take a while to start.
    reader: {
      name: 'reader',
      read: (raw: Uint8Array) => readMail({ raw, cut: true }).catch(() => undefined),
    },
    calls: (account: string, operation = randomId()) => ({ account, operation }),
  };
  const mail = createMail(config, overrides as unknown as Partial<Dependencies>);
  await mail.start();
  const port = mail.port();
  const client = (more: object = {}) => createTransport({ host: '127.0.0.1', port, ignoreTLS: true, ...more });
  return {
    state,
    port,
    client,
    /** Ann writes to support, unless `message` says otherwise. */
    send: (message: SendMailOptions = {}) =>
      client().sendMail({
        from: 'ann@example.com',
        to: `support@${DOMAIN}`,
        subject: 'Lamp',
        text: 'Why?',
        ...message,
      }),
    /** All that was received. */
    received: () => [...state.received.values()],
    /** The files of stored messages, by name. */
    async files(): Promise<Record<string, Buffer>> {
      const entries = await readdir(join(dir, 'mail'), { recursive: true, withFileTypes: true }).catch(() => []);
      const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      return Object.fromEntries(
        await Promise.all(files.map(async (file) => [file.split('/').slice(-2).join('/'), await readFile(file)])),
      );
    },
    async stop() {
      await mail.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export type MailService = Awaited<ReturnType<typeof mailService>>;
