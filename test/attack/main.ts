/** `npm run test:attack`: attacks a whole system with requests that Schemathesis makes from the OpenAPI description. */
import { randomInt } from 'node:crypto';
import { readEnv } from '@parley/runtime';
import { heapUsed } from '@parley/runtime/testing';
import { runSteps, type Step } from '../cluster/steps.ts';
import { populated } from '../conformance/populated.ts';
import { seedIn } from '../conformance/seed.ts';
import { must } from '../e2e/api.ts';
import { type World, world } from '../e2e/world.ts';
import { runSchemathesis, schemathesisPackages } from './schemathesis.ts';
import { targetsOf } from './targets.ts';

const MIB = 1024 * 1024;
const FIXED_SEED = 1;
const MAX_SEED = 2 ** 32;
/** How much the heap of the whole system may grow in the second half of the attack. */
const MOST_GROWTH = 32 * MIB;

const env = readEnv(process.env);
const examples = env.integer('ATTACK_EXAMPLES', 3, { min: 1 });
const seeds = [FIXED_SEED, env.integer('ATTACK_SEED', randomInt(MAX_SEED), { max: MAX_SEED })];

let packages: string;
let system!: World;
const heaps: number[] = [];

/** Attacks an account of its own, since the attack deletes what it reaches. */
async function attack(seed: number): Promise<string> {
  const { parley, baseUrl } = system;
  const account = await system.account('Target');
  const targets = await targetsOf(await populated(account, seedIn({ ...parley.endpoints, secret: parley.secret })));
  const report = await runSchemathesis({ packages, baseUrl, key: account.key, targets, seed, examples });
  must(await account.api.get('/me'));
  heaps.push(await heapUsed());
  return report.slice(report.lastIndexOf('Test cases:')).split('\n', 2).join(' ');
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
      const variables = { AUTH_FAILURES_PER_MINUTE: '0', RATE_LIMIT_PER_MINUTE: '1000000' };
      system = await world({ embeddings: 'none', variables });
    },
  },
  ...seeds.map((seed) => ({
    name: `every answer is what the description says, with seed ${seed} (ATTACK_SEED repeats it)`,
    run: () => attack(seed),
  })),
  {
    name: 'memory does not grow from one half to the other',
    run: async () => {
      const [first = 0, second = 0] = heaps;
      const grown = `${(first / MIB).toFixed(1)} MiB, then ${(second / MIB).toFixed(1)} MiB`;
      if (heaps.length < 2 || second - first > MOST_GROWTH) throw new Error(grown);
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
