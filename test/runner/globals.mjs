/** What test files import from '@jest/globals': the runner's own functions, with a time limit for each test and hook. */
import { unhandled } from './unhandled.mjs';

// Taken before a test fakes them.
const { setTimeout, clearTimeout, setImmediate } = globalThis;
let defaultMs = 300_000;

/** The same function, which fails if it takes longer than `ms`, or leaves an error that nobody handled. */
const limited = (fn, ms) =>
  fn &&
  (async (...args) => {
    const limit = ms ?? defaultMs;
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`Exceeded the timeout of ${limit} ms.`)), limit);
    });
    try {
      await Promise.race([fn(...args), late]);
    } catch (error) {
      throw withCause(error);
    } finally {
      clearTimeout(timer);
    }
    if (unhandled.size > 0) await new Promise((done) => setImmediate(done));
    const [error] = unhandled.values();
    unhandled.clear();
    if (error) throw error;
  });

/** The runner prints stacks only: what a property failed with stands in the cause of its error. */
function withCause(error) {
  if (error?.cause?.stack) error.stack += `\nCaused by: ${error.cause.stack}`;
  return error;
}

function withLimits(add) {
  const limitedAdd = (name, fn, ms) => add(name, limited(fn, ms));
  const each =
    (...table) =>
    (name, fn, ms) =>
      add.each(...table)(name, limited(fn, ms));
  return Object.assign(limitedAdd, { each, todo: add.todo, skip: add.skip, only: add.only && withLimits(add.only) });
}
const hook = (add) => (fn, ms) => add(limited(fn, ms));

export const test = withLimits(globalThis.test);
export const it = test;
export const { describe, expect } = globalThis;
export const beforeAll = hook(globalThis.beforeAll);
export const afterAll = hook(globalThis.afterAll);
export const beforeEach = hook(globalThis.beforeEach);
export const afterEach = hook(globalThis.afterEach);
export const jest = {
  ...globalThis.jest,
  setTimeout(ms) {
    defaultMs = ms;
  },
};
