import { codeOf } from '@parley/runtime/rpc';

/** Why a command of an SMTP client is refused: the reply that it gets. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly responseCode: number;

  /** @param status an enhanced status code (RFC 3463) */
  constructor(responseCode: number, status: string, message: string) {
    super(`${status} ${message}`);
    this.responseCode = responseCode;
  }

  /** True if the client need not try again. */
  get isFinal(): boolean {
    return this.responseCode >= 500;
  }
}

export const noSuchUser = () => new Refusal(550, '5.1.1', 'There is no such mailbox here.');
export const relayDenied = () => new Refusal(550, '5.7.1', 'Mail for this domain is not relayed.');
const senderBlocked = () => new Refusal(550, '5.7.1', 'The sender is blocked.');
export const tryLater = () => new Refusal(451, '4.3.0', 'It could not be processed. Try again later.');
const mailboxFull = () => new Refusal(452, '4.2.2', 'The mailbox is full. Try again later.');
export const tooBusy = () => new Refusal(452, '4.3.1', 'Too much mail is being received. Try again later.');
export const tooMany = () => new Refusal(421, '4.7.0', 'Too much from your address. Try again later.');
export const tooLarge = (bytes: number) => new Refusal(552, '5.3.4', `The message has more than ${bytes} bytes.`);
export const headersTooLarge = () => new Refusal(552, '5.3.4', 'The headers of the message are too long.');
export const noSender = () => new Refusal(550, '5.1.7', 'The message has no sender that an answer could be sent to.');

/** The reply to a client for an error of a service. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = codeOf(error);
  if (code === 'permission_denied') return senderBlocked();
  if (code === 'resource_exhausted') return mailboxFull();
  return code === 'not_found' ? noSuchUser() : tryLater();
}
