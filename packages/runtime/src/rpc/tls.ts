import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { ChannelCredentials } from '@grpc/grpc-js';
import type { Log } from '../log.ts';
import type { Loop } from '../loop.ts';
import { type Certificate, readCertificate, watchCertificate } from '../tls/certificate.ts';
import { certificateFault } from '../tls/certificate-fault.ts';

/**
 * Says who speaks TLS, in MongoDB's terms. `allow`: servers accept plaintext, too, and clients speak it; `prefer`: clients speak
 * TLS; `require`: servers refuse plaintext. Processes of neighbouring modes can call each other, so a running system is changed
 * by one step at a time.
 */
export type TlsMode = 'allow' | 'prefer' | 'require';

export interface RpcTlsConfig {
  /** The directory with `tls.crt`, `tls.key` and `ca.crt`. */
  dir: string;
  mode: TlsMode;
  /** The name by which others call this process; absent: it is not checked. */
  name?: string | undefined;
}

type RpcCertificate = Certificate<ReturnType<typeof filesIn>>;

/**
 * Holds the certificate that a process shows as a server and as a client. A renewed one is used for new connections. As a
 * component, it is ready while others accept the certificate.
 */
export interface RpcTls extends Loop {
  readonly mode: TlsMode;
  /** The name by which others call this process, if it is known. */
  readonly serverName: string | undefined;
  /** The newest one. */
  certificate(): RpcCertificate;
  onRenewal(use: () => void): void;
  /** Of all channels of this process. */
  readonly channel: ChannelCredentials;
}

const filesIn = (dir: string) => ({
  cert: join(dir, 'tls.crt'),
  key: join(dir, 'tls.key'),
  ca: join(dir, 'ca.crt'),
});

/** @throws ConfigError that names a file which can't be read */
export function openRpcTls({ dir, mode, name }: RpcTlsConfig, log: Log): RpcTls {
  let certificate = readCertificate(filesIn(dir));
  const users: (() => void)[] = [];
  const fault = () => certificateFault(certificate.cert, name);
  const loop = watchCertificate(filesIn(dir), log, certificate, (renewed) => {
    certificate = renewed;
    for (const use of users) use();
    log.info('the certificate was renewed');
    complain();
  });
  function complain() {
    const reason = fault();
    if (reason) log.error(`Other processes refuse this one: ${reason}.`);
  }
  return {
    ...loop,
    name: 'tls',
    mode,
    serverName: name,
    certificate: () => certificate,
    onRenewal: (use) => void users.push(use),
    channel: mode === 'allow' ? ChannelCredentials.createInsecure() : new NewestCredentials(() => certificate),
    async start() {
      complain();
      await loop.start();
    },
    async ready() {
      const reason = fault();
      if (reason) throw new Error(reason);
    },
  };
}

type SecureConnectorArguments = Parameters<ChannelCredentials['_createSecureConnector']>;

/** Takes the newest certificate for each connection. grpc-js keeps a connector for as long as it has an address. */
class NewestCredentials extends ChannelCredentials {
  readonly #certificate: () => RpcCertificate;

  constructor(certificate: () => RpcCertificate) {
    super();
    this.#certificate = certificate;
  }

  _isSecure() {
    return true;
  }

  _equals(other: ChannelCredentials) {
    return this === other;
  }

  _createSecureConnector(...args: SecureConnectorArguments) {
    const create = () => {
      const context = createSecureContext(this.#certificate());
      return ChannelCredentials.createFromSecureContext(context)._createSecureConnector(...args);
    };
    const first = create();
    return {
      connect: (socket: Parameters<typeof first.connect>[0]) => create().connect(socket),
      waitForReady: async () => {},
      getCallCredentials: () => first.getCallCredentials(),
      destroy() {},
    };
  }
}
