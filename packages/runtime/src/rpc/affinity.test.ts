import { expect, test } from '@jest/globals';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { until } from '../testing/index.ts';
import { preferred } from './affinity.ts';
import { auth, connect, edgeCall, startServer } from './testing/rpc.ts';

const ACCOUNTS = Array.from({ length: 13 }, (_, i) => `account${i}`);

/** Servers that answer with their names, and a client that prefers some of them for an account. */
async function started(arrived: (account?: string) => Promise<void> = async () => {}) {
  const services = (name: string) => [
    auth({
      async verifyKey(_, { context }) {
        await arrived(context.account);
        return { account: { name } };
      },
    }),
  ];
  const servers = await Promise.all(['a', 'b', 'c'].map((name) => startServer(services(name))));
  const client = connect(`ipv4:${servers.map(({ address }) => address).join(',')}`, {
    affine: [AuthService.method.verifyKey],
  });
  const ask = async (account?: string) => {
    const call = edgeCall(account === undefined ? {} : { account: account as never });
    return (await client.verifyKey({}, call.onward())).account!.name;
  };
  const homes = () => Promise.all(ACCOUNTS.map(ask));
  /** Until all of `names` are connected: each is the first choice of some accounts. */
  const connected = (names: string) =>
    until(
      async () => [...new Set(await Promise.all(Array.from({ length: 12 }, () => ask())))].sort().join(''),
      (found) => found === names,
    );
  const restart = (at: number) =>
    startServer(services('abc'[at]!), { listen: { host: '127.0.0.1', port: servers[at]!.port } });
  return { servers, ask, homes, connected, restart };
}

test('calls of an account go to one server; if one dies or joins, only its share moves, and no call fails', async () => {
  const { servers, homes, connected, restart } = await started();
  await connected('abc');
  const before = await homes();
  expect(await homes()).toEqual(before);
  const gone = before[0]!;
  const at = 'abc'.indexOf(gone);
  const dying = servers[at]!.stop(0);
  const after = await homes();
  await dying;
  expect(await homes()).not.toContain(gone);
  expect(after.filter((home, i) => home !== before[i] && before[i] !== gone)).toEqual([]);
  await restart(at);
  await connected('abc');
  expect(await homes()).toEqual(before);
});

test('if the server of an account is busy, one other helps, and no third', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  const { ask, connected } = await started(async (account) => {
    if (account !== 'acme') return;
    waiting += 1;
    await released;
  });
  await connected('abc');
  const answers: Promise<string>[] = [];
  while (answers.length < 24) {
    answers.push(ask('acme'));
    await until(
      () => waiting,
      (now) => now === answers.length,
    );
  }
  release();
  expect(new Set(await Promise.all(answers)).size).toBe(2);
});

test('a server that is added takes only its share of the accounts', () => {
  const servers = ['a', 'b', 'c'].map((address) => ({ address }));
  const keys = Array.from({ length: 1_000 }, (_, i) => `account${i}`);
  const first = (among: typeof servers) => keys.map((key) => preferred(key, among)[0]!.address);
  const [before, after] = [first(servers), first([...servers, { address: 'd' }])];
  const moved = after.filter((home, i) => home !== before[i]);
  expect(new Set(moved)).toEqual(new Set(['d']));
  expect(moved.length).toBeGreaterThan(150);
  expect(moved.length).toBeLessThan(350);
});
