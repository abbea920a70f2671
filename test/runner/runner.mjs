/**
 * jest-light-runner, whose workers wait forever for their data now and then: its answer to the first worker that asks goes to all,
 * and those that do not listen yet are not answered again. Here each gets it with each test file, and whenever it asks.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import LightRunner from 'jest-light-runner';

const { resolve } = createRequire(import.meta.resolve('jest-light-runner'));
const { default: Tinypool } = await import(pathToFileURL(resolve('tinypool')).href);
const ASKS = 'jest-light-runner-get-worker-data';
const { run } = Tinypool.prototype;

/** The channel of one worker, which nobody else listens to. */
function ownChannel(shared) {
  let tell = () => {};
  const answer = () => {
    shared.onMessage((message) => tell(message));
    shared.postMessage(ASKS);
  };
  return {
    onMessage(listener) {
      tell = listener;
      answer();
    },
    postMessage: (message) => message === ASKS && answer(),
  };
}

Tinypool.prototype.run = function runFor(task, { channel, ...options } = {}) {
  return run.call(this, task, channel ? { ...options, channel: ownChannel(channel) } : options);
};

// biome-ignore lint/style/noDefaultExport: what Jest loads
export default LightRunner;
