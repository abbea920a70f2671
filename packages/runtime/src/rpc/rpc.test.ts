import { expect, test } from '@jest/globals';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { Health } from '@parley/proto/grpc/health/v1/health_pb';
import { handlersOf, service } from './rpc.ts';
import { startServer } from './testing/rpc.ts';

const SERVING = { status: 1 } as const;
const watch = () =>
  async function* () {
    yield SERVING;
  };

test('the handlers of a service are what its files export, made of its dependencies', async () => {
  const check =
    ({ answer }: { answer: typeof SERVING }) =>
    async () =>
      answer;
  const handlers = handlersOf({ answer: SERVING }, { check }, { watch });
  expect(await handlers.check()).toBe(SERVING);
  expect(Object.keys(service(Health, handlers).handlers)).toEqual(['check', 'watch']);
});

test('a method without a handler, and an export that is no handler of a method, do not compile', () => {
  const check = () => async () => SERVING;
  // @ts-expect-error watch is missing
  service(Health, handlersOf({}, { check }));
  // @ts-expect-error `helper` is no method
  service(Health, handlersOf({}, { check, watch, helper: () => async () => SERVING }));
  // @ts-expect-error it answers something else
  service(Health, handlersOf({}, { check: () => async () => ({ status: 'fine' }), watch }));
});

test('a server with a method that nobody handles does not start', async () => {
  const services = [{ desc: AuthService, handlers: {} }];
  await expect(startServer(services)).rejects.toThrow('has no handler');
});
