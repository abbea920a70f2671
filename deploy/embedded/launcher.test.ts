import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'parley-launcher-'));
afterAll(() => rm(folder, { recursive: true }));

/** Makes a Node say that it is another version, as far as the launcher can see. */
const pretending = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
];

/** Starts a TypeScript program by the launcher, on a Node of a version. */
async function launch(version: string, source: string, ...args: string[]) {
  const program = join(folder, `${Math.random()}.ts`);
  await writeFile(program, source);
  const child = spawn(process.execPath, [...pretending(version), 'deploy/run.mjs', program, ...args], { cwd: ROOT });
  const [lines, errors]: [string[], string[]] = [[], []];
  const printed = createInterface(child.stdout).on('line', (line) => lines.push(line));
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  const ended = once(child, 'close').then(([code]) => ({ code, lines, errors: errors.join('\n') }));
  return { child, printed, ended };
}

test('a program that an older Node starts runs on Node 24, with its arguments and its exit code, and says so', async () => {
  const source = `const text: string = process.argv.slice(2).join(); console.log(process.version, text); process.exit(7);`;
  const { ended } = await launch('18.20.0', source, 'a', 'b c');
  expect(await ended).toMatchObject({
    code: 7,
    lines: [expect.stringMatching(/^v24\.\d+\.\d+ a,b c$/)],
    errors: expect.stringMatching(/^Node 18\.20\.0 is too old to run Parley; using the Node 24 in node_modules\.$/),
  });
});

test('a signal to the launcher reaches the program, which ends in its own way', async () => {
  const source = `
    const idle = setInterval(() => {}, 1_000);
    process.on('SIGTERM', () => { clearInterval(idle); console.log('stopped'); });
    console.log('ready');`;
  const { child, printed, ended } = await launch('20.19.0', source);
  await once(printed, 'line');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, lines: ['ready', 'stopped'] });
});

test('a Node that is too old even to launch is named with what is needed', async () => {
  const { ended } = await launch('16.20.2', '');
  expect(await ended).toMatchObject({ code: 1, errors: expect.stringMatching(/Node 18 or later.*16\.20\.2/) });
});

test('a current Node runs the program itself', async () => {
  const { ended } = await launch(process.versions.node, 'console.log(process.ppid)');
  const { lines, errors } = await ended;
  expect({ lines, errors }).toEqual({ lines: [String(process.pid)], errors: '' });
});
