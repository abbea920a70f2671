/** Runs the soak test; `npm run soak -- --help` lists its options. */
import { prepareNode, runTs } from '../../deploy/embedded/bootstrap.mjs';
import { endWithParent } from '../../deploy/embedded/parent.mjs';

endWithParent();
await prepareNode();
await runTs('../../test/soak/main.ts');
