/** `gateway` or `assistants` in a process of its own, as its `main.ts` runs it. */
import { createAssistants, readConfig as readAssistantsConfig } from '@parley/assistants';
import { createGateway, readConfig as readGatewayConfig } from '@parley/gateway';
import { readEnv } from '@parley/runtime';
import { tellReady } from './program.ts';

const env = readEnv(process.env);
if (process.argv[2] === 'gateway') {
  const gateway = createGateway(readGatewayConfig(env));
  await gateway.start();
  tellReady(gateway.address().port);
} else {
  const assistants = createAssistants(readAssistantsConfig(env));
  await assistants.start();
  tellReady(assistants.port());
}
