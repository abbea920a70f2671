import { startMailOnFiles } from './mail-on-files.ts';

/** A mail service that stops forever at one step, so that a test can kill it there. It prints `port N`, then `reached`. */
const { dir, step } = JSON.parse(process.argv[2]!) as { dir: string; step: string };

const mail = await startMailOnFiles(dir, async (name) => {
  if (name !== step) return;
  process.stdout.write('reached\n');
  await new Promise(() => {});
});
process.stdout.write(`port ${mail.port()}\n`);
