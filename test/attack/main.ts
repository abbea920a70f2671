/** `npm run test:attack`: attacks a whole system with requests that Schemathesis makes from the OpenAPI description. */
import { randomInt } from 'node:crypto';
import { readEnv } from '@parley/runtime';
import { integer } from '@parley/runtime/settings';
import { heapUsed } from '@parley/runtime/testing';
import { runSteps, type Step } from '../cluster/steps.ts';
import { populated } from '../conformance/populated.ts';
import { seedIn } from '../conformance/seed.ts';
import { must } from '../e2e/api.ts';
import { UNLIMITED } from '../e2e/visitor.ts';
import { type World, world } from '../e2e/world.ts';
import { runSchemathesis, schemathesisPackages } from './schemathesis.ts';
import { sendTranscripts, stall } from './stalls.ts';
import { targetsOf } from './targets.ts';
import { wasteBytes } from './wasted-bytes.ts';

const MIB = 1024 * 1024;
const FIXED_SEED = 1;
const MAX_SEED = 2 ** 32;
/** How much the heap of the whole system may grow in the second half of the attack. */
const MAX_GROWTH = 32 * MIB;

const env = readEnv(process.env, {
  ATTACK_EXAMPLES: integer('requests of each kind for each operation', { fallback: 3, min: 1 }),
  ATTACK_SEED: integer('repeats an attack', { max: MAX_SEED }),
});
const examples = env.get('ATTACK_EXAMPLES');
const seeds = [FIXED_SEED, env.get('ATTACK_SEED') ?? randomInt(MAX_SEED)];

let packages: string;
let system!: World;
const heaps: number[] = [];

/** Attacks an account of its own, since the attack deletes what it reaches. */
async function attack(seed: number): Promise<string> {
  const { parley, baseUrl } = system;
  const account = await system.account('Target');
  const targets = await targetsOf(await populated(account, seedIn({ ...parley.endpoints, secret: parley.secret })));
  const run = { packages, baseUrl, key: account.key, targets, seed, examples };
  // Visitors first: the others delete the chatbot.
  const reports = [await runSchemathesis({ ...run, of: 'visitors' }), await runSchemathesis({ ...run, of: 'keys' })];
  must(await account.api.get('/me'));
  heaps.push(await heapUsed());
  const summary = (report: string) => report.slice(report.lastIndexOf('Test cases:')).split('\n', 2).join(' ');
  return reports.map(summary).join('; ');
}

const steps: Step[] = [
  {
    name: 'Schemathesis is installed',
    essential: true,
    run: async () => {
      packages = await schemathesisPackages();
    },
  },
  {
    name: 'a system starts',
    essential: true,
    run: async () => {
      const variables = {
        AUTH_FAILURES_PER_MINUTE: '0',
        RATE_LIMIT_PER_MINUTE: '1000000',
        AI_QUIET_SECONDS: '3600',
        ...UNLIMITED,
      };
      system = await world({ embeddings: 'none', variables });
    },
  },
  ...seeds.map((seed) => ({
    name: `every answer is what the description says, with seed ${seed} (ATTACK_SEED repeats it)`,
    run: () => attack(seed),
  })),
  {
    name: 'no text takes more than time in proportion to its length: messages, questions and answers',
    run: () => stall(system),
  },
  {
    name: 'a transcript for an item that is not there is not read',
    run: () => sendTranscripts(system),
  },
  {
    name: 'a file that was refused is not read again, and slow downloads keep nobody from reading',
    run: () => wasteBytes(system),
  },
  {
    name: 'memory does not grow from one half to the other',
    run: async () => {
      const [first = 0, second = 0] = heaps;
      const grown = `${(first / MIB).toFixed(1)} MiB, then ${(second / MIB).toFixed(1)} MiB`;
      if (heaps.length < 2 || second - first > MAX_GROWTH) throw new Error(grown);
      return grown;
    },
  },
  {
    name: 'the system still serves',
    run: async () => {
      const { a } = system;
      const faq = await a.faq('Zoo', { 'Where do the otters live?': 'The otters live by the northern pond.' });
      await a.train(faq);
      const { message } = await a.ask(await a.chatbot(faq), 'Where do the otters live?');
      if (!message.includes('by the northern pond')) throw new Error(message);
    },
  },
];

const { passed, failed } = await runSteps(steps, async () => '');
await system?.stop();
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);
