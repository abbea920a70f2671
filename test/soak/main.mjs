/** Runs the soak test; `npm run soak -- --help` lists its options. */
import { checkNode, installMissing, runTs } from '../../deploy/embedded/bootstrap.mjs';
import { endWithParent } from '../../deploy/embedded/parent.mjs';

checkNode();
endWithParent();
await installMissing();
await runTs('../../test/soak/main.ts');
