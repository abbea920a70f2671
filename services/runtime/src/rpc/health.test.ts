import { expect, test } from '@jest/globals';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@parley/proto/grpc/health/v1/health_pb';
import { gate } from '../testing/index.ts';
import { auth, connectTo, refusal, startServer } from './rpc.fixture.ts';

test('health needs no context, and says NOT_SERVING until the server is told that it serves', async () => {
  const server = await startServer([auth({})]);
  const health = connectTo(Health, server.address);
  expect((await health.check({})).status).toBe(Status.NOT_SERVING);
  server.setServing(true);
  expect((await health.check({})).status).toBe(Status.SERVING);
  expect((await health.check({ service: 'parley.auth.v1.AuthService' })).status).toBe(Status.SERVING);
  expect((await refusal(health.check({ service: 'nobody' }))).code).toBe('not_found');
});

test('a watch hears of each change, of NOT_SERVING before the server is gone, and ends', async () => {
  const server = await startServer([]);
  server.setServing(true);
  const first = gate();
  const statuses: Status[] = [];
  const watch = async () => {
    for await (const { status } of connectTo(Health, server.address).watch({})) {
      statuses.push(status);
      first.open();
    }
  };
  const watched = watch();
  await first.opened;
  await server.stop(5_000);
  await watched;
  expect(statuses).toEqual([Status.SERVING, Status.NOT_SERVING]);
});

test('a watch of an unknown service says so and stays', async () => {
  const { address } = await startServer([]);
  for await (const { status } of connectTo(Health, address).watch({ service: 'nobody' })) {
    expect(status).toBe(Status.SERVICE_UNKNOWN);
    break;
  }
});
