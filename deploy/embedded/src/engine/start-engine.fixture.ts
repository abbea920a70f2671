/** The parent that `start-engine.test.ts` kills: starts an engine and prints its address and process id. */
import { startEngine } from './start-engine.ts';

const { uri, pid } = await startEngine({ dataDir: process.argv[2]! });
process.stdout.write(`${JSON.stringify({ uri, pid })}\n`);
