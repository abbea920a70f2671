import { create } from '@bufbuild/protobuf';
import { expect, test } from '@jest/globals';
import {
  Health,
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatus as Status,
} from '@parley/proto/grpc/health/v1/health_pb';
import { gate, heapGrowth, testCall } from '../testing/index.ts';
import { healthService } from './health.ts';
import type { RpcStream } from './rpc.ts';
import { auth, connectTo, refusal, startServer } from './testing/rpc.ts';

test('health needs no context, and is NOT_SERVING until `setServing`', async () => {
  const server = await startServer([auth({})]);
  const health = connectTo(Health, server.address);
  expect((await health.check({})).status).toBe(Status.NOT_SERVING);
  server.setServing(true);
  expect((await health.check({})).status).toBe(Status.SERVING);
  expect((await health.check({ service: 'parley.auth.v1.AuthService' })).status).toBe(Status.SERVING);
  expect((await refusal(health.check({ service: 'nobody' }))).code).toBe('not_found');
});

test('a watch reports each change, then NOT_SERVING before the server stops, and ends', async () => {
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

test('finished watches leave nothing on the heap of their server', async () => {
  const { service } = healthService([]);
  const watch = service.handlers['watch'] as RpcStream<typeof Health.method.watch>;
  const comeAndGo = async (times: number) => {
    for (let i = 0; i < times; i++) {
      for await (const _ of watch(create(HealthCheckRequestSchema), testCall())) break;
    }
  };
  expect(await heapGrowth(2_500, comeAndGo)).toBeLessThan(2 ** 19);
}, 300_000);
