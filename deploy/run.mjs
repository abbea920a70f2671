/** Runs a TypeScript program: node deploy/run.mjs PROGRAM [ARGUMENTS]. The path is relative to the working directory. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepareNode } from './embedded/bootstrap.mjs';

await prepareNode();
const [, , program, ...args] = process.argv;
process.argv = [process.execPath, resolve(program), ...args];
await import(pathToFileURL(resolve(program)));
