/** Runs the conformance suite on the deployment that GATEWAY_URL names; without one, on a new system in this process. */
import { runJest } from '../../deploy/embedded/bootstrap.mjs';
import { prepareToTest } from '../../deploy/embedded/prepare.mjs';

// The suite does not depend on meaning.
process.env.EMBEDDINGS = 'none';
// Every table meets every operation, as on a stack.
process.env.CONFORMANCE = 'whole';
// Otherwise Jest would start an engine of its own.
if (process.env.GATEWAY_URL) process.env.TEST_MONGODB_URI ??= 'mongodb://unused.invalid';

await prepareToTest();
process.exit(await runJest(['test/conformance/contract.test.ts', ...process.argv.slice(2)]));
