import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '../testing/index.ts';
import { connectS3, S3_TIMING } from './s3-client.ts';

const MINUTE_MS = 60_000;
const ASSUMED = 'AssumeRoleWithWebIdentity';
const EMPTY_LIST =
  '<ListBucketResult><Name>b</Name><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>';

interface Asked {
  url: string;
  method: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * One loopback server in place of AWS: STS, the container's service and the instance's, which hand out keys numbered from 1,
 * and a file store that remembers whose requests it got.
 *
 * @param lifeMs how long the keys hold
 */
async function aws(lifeMs: number) {
  const asked: Asked[] = [];
  const signedWith: string[] = [];
  let issued = 0;
  let refuses = false;
  const keys = () => ({
    AccessKeyId: `KEY${++issued}`,
    SecretAccessKey: `secret-${issued}`,
    Token: `token-${issued}`,
    Expiration: new Date(Date.now() + lifeMs).toISOString(),
  });
  function answer({ url, headers, method, body }: Asked): { status?: number; text: string; type?: string } {
    if (url.startsWith('/bucket')) {
      const [, key] = /Credential=(\w+)\//.exec(headers.authorization ?? '') ?? [];
      signedWith.push(`${key} ${headers['x-amz-security-token']}`);
      return { text: EMPTY_LIST, type: 'application/xml' };
    }
    if (refuses) return { status: 500, text: '' };
    if (url === '/latest/api/token' && method === 'PUT') return { text: 'an-imds-token' };
    if (url.endsWith('/security-credentials/')) return { text: 'parley-role' };
    if (body.includes(ASSUMED)) {
      const { AccessKeyId, SecretAccessKey, Token, Expiration } = keys();
      const inside = `<AccessKeyId>${AccessKeyId}</AccessKeyId><SecretAccessKey>${SecretAccessKey}</SecretAccessKey><SessionToken>${Token}</SessionToken><Expiration>${Expiration}</Expiration>`;
      const xmlns = 'https://sts.amazonaws.com/doc/2011-06-15/';
      const text = `<${ASSUMED}Response xmlns="${xmlns}"><${ASSUMED}Result><Credentials>${inside}</Credentials></${ASSUMED}Result></${ASSUMED}Response>`;
      return { text, type: 'text/xml' };
    }
    return { text: JSON.stringify({ Code: 'Success', Type: 'AWS-HMAC', ...keys() }), type: 'application/json' };
  }
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { url: request.url!, method: request.method!, headers: request.headers, body };
    asked.push(one);
    const { status = 200, text, type = 'text/plain' } = answer(one);
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    asked,
    signedWith,
    issued: () => issued,
    refuse: (whether: boolean) => (refuses = whether),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const environment = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});

/** As the cluster sets it in the pod. */
function inPod(variables: Record<string, string>) {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' }, variables);
}

async function withFile(text: string, work: (path: string) => Promise<void>) {
  const directory = await mkdtemp(join(tmpdir(), 'parley-role-'));
  const path = join(directory, 'token');
  await writeFile(path, text);
  await work(path).finally(() => rm(directory, { recursive: true }));
}

function storeAt(endpoint: string) {
  const s3 = connectS3({ endpoint, bucket: 'bucket', region: 'eu-central-1' }, S3_TIMING);
  const list = () => s3.ask((client) => client.listObjectsV2Query('bucket', '', '', '', 1, ''));
  return { list, [Symbol.dispose]: () => s3.close() };
}

const LONG = 60 * MINUTE_MS;

test('without keys, requests are signed with those of the web identity, which STS gives once for many requests', async () => {
  await using cloud = await aws(LONG);
  await withFile('a-token-of-the-cluster', async (AWS_WEB_IDENTITY_TOKEN_FILE) => {
    const role = { AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/parley-trainer' };
    inPod({ ...role, AWS_ENDPOINT_URL_STS: cloud.endpoint });
    using store = storeAt(cloud.endpoint);
    await Promise.all([store.list(), store.list()]);
    await store.list();
  });
  expect(cloud.signedWith).toEqual(Array(3).fill('KEY1 token-1'));
  const [request] = cloud.asked.filter(({ body }) => body.includes(ASSUMED));
  const sent = new URLSearchParams(request!.body);
  expect(sent.get('WebIdentityToken')).toBe('a-token-of-the-cluster');
  expect(sent.get('RoleArn')).toBe('arn:aws:iam::123456789012:role/parley-trainer');
});

test('without keys, the service that the container’s environment names gives them (EKS Pod Identity)', async () => {
  await using cloud = await aws(LONG);
  await withFile('a-token-of-the-pod', async (AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE) => {
    const AWS_CONTAINER_CREDENTIALS_FULL_URI = `${cloud.endpoint}/v1/credentials`;
    inPod({ AWS_CONTAINER_CREDENTIALS_FULL_URI, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE });
    using store = storeAt(cloud.endpoint);
    await store.list();
  });
  expect(cloud.signedWith).toEqual(['KEY1 token-1']);
  const [request] = cloud.asked.filter(({ url }) => url === '/v1/credentials');
  expect(request!.headers.authorization).toBe('a-token-of-the-pod');
});

test('without keys, the role of the instance gives them, with a token of IMDSv2', async () => {
  await using cloud = await aws(LONG);
  inPod({ AWS_EC2_METADATA_SERVICE_ENDPOINT: cloud.endpoint });
  using store = storeAt(cloud.endpoint);
  await store.list();
  expect(cloud.signedWith).toEqual(['KEY1 token-1']);
  const requests = cloud.asked.filter(({ url }) => url.includes('security-credentials'));
  expect(requests.length).toBeGreaterThan(0);
  for (const { headers } of requests) expect(headers['x-aws-ec2-metadata-token']).toBe('an-imds-token');
});

test('keys are renewed before they expire, and those that hold serve on while a renewal fails', async () => {
  await using cloud = await aws(2 * MINUTE_MS); // Less than the margin: each request renews.
  await withFile('a-token', async (AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE) => {
    const AWS_CONTAINER_CREDENTIALS_FULL_URI = `${cloud.endpoint}/v1/credentials`;
    inPod({ AWS_CONTAINER_CREDENTIALS_FULL_URI, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE });
    using store = storeAt(cloud.endpoint);
    await store.list();
    cloud.refuse(true);
    await store.list();
    cloud.refuse(false);
    expect(cloud.signedWith).toEqual(['KEY1 token-1', 'KEY1 token-1']);
    await until(
      async () => {
        await store.list();
        return cloud.signedWith.at(-1)!;
      },
      (last) => last !== 'KEY1 token-1',
    );
  });
  expect(cloud.issued()).toBeGreaterThan(1);
});

test('a process without any role says that the file store is unavailable, and why', async () => {
  await using cloud = await aws(LONG);
  inPod({ AWS_EC2_METADATA_DISABLED: 'true' });
  using store = storeAt(cloud.endpoint);
  await expect(store.list()).rejects.toMatchObject({
    code: 'unavailable',
    cause: { name: 'CredentialsProviderError' },
  });
  expect(cloud.signedWith).toEqual([]);
});
