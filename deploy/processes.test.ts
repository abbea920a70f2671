import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { PRODUCER_OF, TOPICS } from '@parley/proto/events/v1/topics';
import { SERVICES } from '../gateway/src/services.ts';
import { DATA_SERVICES } from '../services/auth/src/delete-account.ts';
import { factsOf, folderOf, PROCESS_NAMES, PROCESSES, RPC_NAMES } from './processes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test('every folder with a main program is in the table, and nothing else', async () => {
  const folders = ['gateway', ...(await readdir(`${ROOT}/services`)).map((name) => `services/${name}`)];
  const programs = folders.filter((folder) => existsSync(`${ROOT}/${folder}/src/main.ts`));
  expect(PROCESS_NAMES.map(folderOf).sort()).toEqual(programs.sort());
});

test.each(PROCESS_NAMES)('%s starts after the processes that it calls, which all serve RPCs', (name) => {
  const earlier = RPC_NAMES.filter((rpc) => PROCESS_NAMES.indexOf(rpc) < PROCESS_NAMES.indexOf(name));
  expect(earlier).toEqual(expect.arrayContaining([...factsOf(name).calls]));
});

test('every topic has one process that publishes to it', () => {
  expect(Object.keys(PRODUCER_OF).sort()).toEqual([...TOPICS].sort());
  for (const producer of Object.values(PRODUCER_OF)) expect(PROCESS_NAMES).toContain(producer);
});

test.each(RPC_NAMES)('%s serves the gRPC service of its contract', async (name) => {
  const { rpc } = PROCESSES[name];
  const contract = await readFile(`${ROOT}/proto/parley/${name}/v1/${name}_service.proto`, 'utf8');
  const [, inPackage] = /^package (\S+);$/m.exec(contract) ?? [];
  const [, service] = /^service (\w+) {/m.exec(contract) ?? [];
  expect(rpc).toBe(`${inPackage}.${service}`);
});

test('the gateway has a client of each service that the table says it calls', () => {
  const called = PROCESSES.gateway.calls.map((name) => [name, PROCESSES[name].rpc]);
  const clients = Object.entries(SERVICES).map(([name, service]) => [name, service.typeName]);
  expect(Object.fromEntries(clients)).toEqual(Object.fromEntries(called));
});

test('the program that deletes accounts reaches every service that stores their data', async () => {
  expect(PROCESSES.auth.operates).toEqual(DATA_SERVICES);
  const contracts = RPC_NAMES.map(async (name) => {
    const contract = await readFile(`${ROOT}/proto/parley/${name}/v1/${name}_service.proto`, 'utf8');
    return contract.includes('rpc DeleteAccountData(') ? [name] : [];
  });
  expect((await Promise.all(contracts)).flat().sort()).toEqual([...DATA_SERVICES].sort());
});

test.each(PROCESS_NAMES)('the Dockerfile builds %s on the base that it needs', async (name) => {
  const dockerfile = await readFile(`${ROOT}/deploy/Dockerfile`, 'utf8');
  const base = factsOf(name).model ? 'runtime-with-model' : 'runtime';
  expect(dockerfile).toContain(`\nFROM ${base} AS runtime-of-${name}\n`);
});
