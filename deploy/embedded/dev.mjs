/** Runs Parley as `npm start` does, and restarts it when one of its sources changes. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { prepareNode } from './bootstrap.mjs';

await prepareNode();
const start = fileURLToPath(new URL('./start.mjs', import.meta.url));
const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', start, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.on('SIGINT', () => {}); // The terminal sends it to the child, too.
process.on('SIGTERM', () => child.kill());
child.on('exit', (code) => process.exit(code ?? 1));
