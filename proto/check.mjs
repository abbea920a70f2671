// Checks the contracts: lint, nothing broken since what was last merged, and the committed code is what buf generates.
import { execFileSync } from 'node:child_process';

const run = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' }).trim();
const show = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' });
const commit = (name) => {
  try {
    return run('git', 'rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  } catch {
    return undefined;
  }
};

/** What was last merged: the remote's main; on a clone of main itself, the commit before this one. */
function lastMerged() {
  const remote = commit('origin/main');
  return remote && remote !== commit('HEAD') ? remote : commit('HEAD~1');
}

try {
  show('npx', 'buf', 'lint');
  const base = lastMerged();
  if (base) show('npx', 'buf', 'breaking', '--against', `.git#ref=${base}`);
  else process.stdout.write('No earlier commit: nothing to compare the contracts with.\n');
  show('npx', 'buf', 'generate');
  const changed = run('git', 'status', '--porcelain', '--', 'proto/gen');
  if (changed)
    throw new Error(`The generated code is not what the contracts give. Run npm run proto and commit:\n${changed}`);
} catch (error) {
  if (!('status' in error)) process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
