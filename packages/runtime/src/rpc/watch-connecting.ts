import { type ChannelInterface, connectivityState } from '@grpc/grpc-js';

/** Connecting within a network takes milliseconds; a busy server may take seconds to complete the handshake. */
const PATIENCE_MS = 4_000;

/**
 * Calls `stuck` whenever a channel has been connecting for four seconds. grpc-js has no connect timeout: where packets
 * are dropped, calls would wait for a connection until their own deadlines.
 */
export function watchConnecting(channel: ChannelInterface, stuck: () => void): void {
  let patience: NodeJS.Timeout | undefined;

  function look() {
    const state = channel.getConnectivityState(false);
    clearTimeout(patience);
    if (state === connectivityState.SHUTDOWN) return;
    if (state === connectivityState.CONNECTING) patience = setTimeout(lookOnceMore, PATIENCE_MS).unref();
    channel.watchConnectivityState(state, Infinity, (error) => {
      if (!error) look();
    });
  }

  /** After a pause of the whole process, timers fire before the events that arrived meanwhile. */
  function lookOnceMore() {
    setImmediate(() => {
      if (channel.getConnectivityState(false) !== connectivityState.CONNECTING) return;
      stuck();
      patience = setTimeout(lookOnceMore, PATIENCE_MS).unref();
    });
  }

  look();
}
