import { Code, ConnectError } from '@connectrpc/connect';
import { type StatusObject, status } from '@grpc/grpc-js';
import { answeredHeader, somethingWentWrong } from './status.ts';

/** Public messages for errors that did not come from a server. */
const publicSentences: { [code: number]: string } = {
  [Code.Unavailable]: 'A part of the system is unavailable. Try again in a moment.',
  [Code.DeadlineExceeded]: 'The answer took too long.',
  [Code.ResourceExhausted]: 'The message is too large.',
  [Code.Canceled]: 'The call was cancelled.',
};

export const isAnswered = ({ metadata }: Pick<StatusObject, 'metadata'>): boolean =>
  metadata.get(answeredHeader).length > 0;

export function toConnectError(error: unknown, signal: AbortSignal | undefined): ConnectError {
  if (signal?.aborted) return aborted(signal);
  if (!isStatus(error)) return new ConnectError(somethingWentWrong, Code.Internal, undefined, undefined, error);
  // Connect numbers its codes as gRPC does.
  const code = isBrokenOff(error) ? Code.Unavailable : (error.code as number as Code);
  const message = isAnswered(error) ? error.details : (publicSentences[code] ?? somethingWentWrong);
  return new ConnectError(message, code, undefined, undefined, error);
}

/**
 * The stream ended without a response. grpc-js has several codes for that; in all of them the caller may retry. A caller
 * that cancels aborts its signal, so any other cancelled call has lost its connection.
 */
const isBrokenOff = (error: StatusObject): boolean =>
  !isAnswered(error) && (error.details.startsWith('Received RST_STREAM') || error.code === status.CANCELLED);

/** The connection was lost while the call was under way: grpc-js has these words for it. */
export const isDropped = (error: unknown): boolean =>
  isStatus(error) && !isAnswered(error) && error.code === status.UNAVAILABLE && error.details === 'Connection dropped';

const isStatus = (error: unknown): error is StatusObject => error instanceof Error && 'details' in error;

/** The reason of a signal distinguishes a passed deadline from a caller that hung up. */
export function aborted({ reason }: AbortSignal): ConnectError {
  const late = reason?.name === 'TimeoutError' || reason?.code === 'deadline_exceeded';
  const code = late ? Code.DeadlineExceeded : Code.Canceled;
  return new ConnectError(publicSentences[code]!, code, undefined, undefined, reason);
}
