/** The parent that `start-engine.test.ts` kills: starts an engine and says where it is. */
import { startEngine } from './start-engine.ts';

const { uri, pid } = await startEngine({ dataDir: process.argv[2]! });
process.stdout.write(`${JSON.stringify({ uri, pid })}\n`);
