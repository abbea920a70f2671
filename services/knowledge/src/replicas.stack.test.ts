import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chunk, corpusWorld, uploadBuild } from '@parley/corpus/testing';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { createLog, readEnv, readObjectsConfig } from '@parley/runtime';
import { type ObjectStore, openObjects } from '@parley/runtime/objects';
import { contextSigner, type RpcClient, randomId, rpcClient } from '@parley/runtime/rpc';
import { testCall, until } from '@parley/runtime/testing';
import { startMinio } from '../../../deploy/stack/minio.ts';
import type { S3Server } from '../../../deploy/stack/s3-server.ts';
import { freePort } from '../../../deploy/stack/server.ts';
import { type ServiceProcess, startServiceProcess } from '../../../deploy/stack/service-process.ts';

/** So many that one of three servers has none of them only once in 500 runs. */
const ACCOUNTS = 18;
const PASSAGES = 20;
const ASKERS = 3;
const WITHIN_MS = 240_000;
const secret = randomId();

let dir: string;
let minio: S3Server;
let world: Awaited<ReturnType<typeof corpusWorld>>;
let store: Record<string, string>;
let objects: ObjectStore;
let ports: number[];
let client: RpcClient<typeof KnowledgeService>;
const pods: ServiceProcess[] = [];

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'parley-replicas-'));
  minio = await startMinio({ dataDir: dir });
  world = await corpusWorld();
  store = {
    MINIO_ENDPOINT: minio.endpoint,
    MINIO_ACCESS_KEY: minio.accessKey,
    MINIO_SECRET_KEY: minio.secretKey,
  };
  objects = openObjects(readObjectsConfig(readEnv(store)), createLog('test', 'silent'));
  await objects.start?.(AbortSignal.timeout(30_000));
  ports = await Promise.all([1, 2, 3, 4].map(freePort));
  client = rpcClient(KnowledgeService, {
    address: `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
    affine: [KnowledgeService.method.search],
  });
}, WITHIN_MS);
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await Promise.all(pods.map((pod) => pod.stop()));
  await objects.stop?.();
  await minio.stop();
  await world.close();
  await rm(dir, { recursive: true, force: true });
});

const folderOf = (pod: number) => path.join(dir, `index-${pod}`);

async function startPod(pod: number) {
  const opsPort = await freePort();
  const variables = {
    ...store,
    MONGODB_URI: world.uri,
    MONGODB_DATABASE_PREFIX: world.database.replace(/_corpus$/, ''),
    PARLEY_SECRET: secret,
    EMBEDDINGS: 'none',
    HOST: '127.0.0.1',
    RPC_PORT: `${ports[pod]}`,
    OPS_PORT: `${opsPort}`,
    INDEX_DIR: folderOf(pod),
    LOG_LEVEL: 'warn',
  };
  const program = 'services/knowledge/src/main.ts';
  const started = await startServiceProcess({ name: `knowledge-${pod}`, program, variables, opsPort, logDir: dir });
  await until(
    () => started.unready(),
    (reason) => reason === '',
  );
  pods[pod] = started;
}

/** An account's item, and the numbers of its builds: of the one that is live, and of the one that may be by now. */
interface Owner {
  account: string;
  item: string;
  live: number;
  next: number;
}

/** Publishes the next build, as a training does: each of its passages says which it is. */
async function publish(owner: Owner) {
  const { account, item } = owner;
  owner.next += 1;
  const job = await world.begin(account, item);
  await world.corpus.builds.open(job, null);
  const chunks = Array.from({ length: PASSAGES }, (_, i) => chunk(i, `Loaf ${i} is bread of build ${owner.next}.`));
  await world.corpus.training.publish(job, await uploadBuild(objects, job, chunks));
  owner.live = owner.next;
}

/** Asks for all passages. They must be all those of one build that was live in the meantime. */
async function ask({ account, item, ...owner }: Owner, now: () => Owner) {
  const call = testCall({ account, sign: contextSigner(secret, 'gateway') });
  const { passages } = await client.search({ knowledgeIds: [item], query: 'bread', limit: 50 }, call.onward());
  const builds = [...new Set(passages.map(({ text }) => Number(/build (\d+)/.exec(text)![1])))];
  const isWhole = passages.length === PASSAGES && builds.length === 1;
  if (!isWhole || builds[0]! < owner.live || builds[0]! > now().next)
    throw new Error(`${passages.length} passages of ${builds}; ${owner.live} was live, then ${now().next}`);
}

/** Asks about one owner after the other, several at a time, until it is disposed of. */
function asking(owners: readonly Owner[]) {
  const failures: string[] = [];
  let answered = 0;
  let isOver = false;
  async function asker(first: number) {
    for (let i = first; !isOver; i++) {
      const owner = owners[i % owners.length]!;
      await ask({ ...owner }, () => owner).catch((error) => failures.push(error.message));
      answered += 1;
    }
  }
  const askers = Array.from({ length: ASKERS }, (_, i) => asker(ASKERS * i));
  return {
    failures,
    answered: () => answered,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.all(askers);
    },
  };
}

/** By server, how many local copies it has of each account's builds. */
type Copies = ReadonlyMap<string, number>[];

async function copies(): Promise<Copies> {
  return Promise.all(
    ports.map(async (_, pod) => {
      const counts = new Map<string, number>();
      const names = await readdir(folderOf(pod)).catch(() => []);
      for (const name of names.filter((name) => name.endsWith('.sqlite'))) {
        const [account] = name.split('.');
        counts.set(account!, (counts.get(account!) ?? 0) + 1);
      }
      return counts;
    }),
  );
}

/** The most servers that have loaded builds of one account since. */
async function mostLoading(owners: readonly Owner[], since: Copies): Promise<number> {
  const now = await copies();
  const has = (found: Copies, pod: number, account: string) => found[pod]?.get(account) ?? 0;
  const loading = ({ account }: Owner) =>
    now.filter((_, pod) => has(now, pod, account) > has(since, pod, account)).length;
  return Math.max(...owners.map(loading));
}

test(
  'while trainings are published, one of three servers is killed and one is added: no question fails, none is answered from half a build or a retired one, and at most two load an account',
  async () => {
    await Promise.all([0, 1, 2].map(startPod));
    const owners: Owner[] = [];
    for (let i = 0; i < ACCOUNTS; i++) {
      const account = randomId();
      owners.push({ account, item: (await world.faq(account))._id, live: 0, next: 0 });
      await publish(owners[i]!);
    }
    await using asked = asking(owners);
    const publishAll = async () => {
      for (const owner of owners) {
        const before = asked.answered();
        await publish(owner);
        await until(() => asked.answered() > before + ASKERS);
      }
    };
    /** Twice: a server whose questions have moved on may fetch one more build. */
    const expectTwo = async () => {
      await publishAll();
      const since = await copies();
      await publishAll();
      expect(await mostLoading(owners, since)).toBeLessThanOrEqual(2);
      expect(asked.failures).toEqual([]);
    };

    await publishAll();
    expect(await mostLoading(owners, [])).toBeLessThanOrEqual(2);
    const sizes = (await copies()).map((counts) => counts.size);
    expect(sizes.slice(0, 3)).not.toContain(0);

    pods[sizes.indexOf(Math.max(...sizes))]!.kill('SIGKILL');
    await expectTwo();

    await startPod(3);
    await until(async () => (await copies())[3]!.size > 0);
    await expectTwo();
  },
  WITHIN_MS,
);
