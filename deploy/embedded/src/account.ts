import { runAccountProgram } from '@parley/auth';
import { readEnv } from '@parley/runtime';
import { readDataDir } from './config.ts';
import { readOrMakeSecret } from './data-dir.ts';
import { readEndpoints } from './endpoints.ts';

const dataDir = readDataDir(readEnv(process.env));
process.exitCode = await runAccountProgram({
  args: process.argv.slice(2),
  command: 'npm run account --',
  async find() {
    const endpoints = await readEndpoints(dataDir);
    return (
      endpoints && {
        auth: endpoints.auth,
        secret: await readOrMakeSecret(dataDir),
        rpcTls: endpoints.rpcTls,
        data: () => endpoints,
      }
    );
  },
  away: `No Parley runs on the data directory ${dataDir}. Start it with: npm start`,
});
