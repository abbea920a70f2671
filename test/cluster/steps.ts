/** What is done. A string that it gives is told with it. */
export interface Step {
  name: string;
  run(): Promise<unknown>;
  /** Without it none of the following can run. */
  essential?: boolean;
}

export interface Outcome {
  passed: number;
  failed: number;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Runs the steps in order, tells of each, and counts; those that can't run any more have failed. */
export async function runSteps(steps: Step[], explainFailure: () => Promise<string>): Promise<Outcome> {
  const outcome = { passed: 0, failed: 0 };
  for (const [i, { name, run, essential }] of steps.entries()) {
    const started = performance.now();
    const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
    try {
      const note = await run();
      outcome.passed += 1;
      say(
        `ok      ${name}  (${seconds()})${typeof note === 'string' ? `\n${note.trimEnd()}`.replaceAll('\n', '\n          ') : ''}`,
      );
    } catch (error) {
      outcome.failed += 1;
      say(`FAILED  ${name}  (${seconds()})\n${(error as Error).message}\n${await explainFailure()}`);
      if (!essential) continue;
      for (const { name } of steps.slice(i + 1)) say(`FAILED  ${name}: it could not run`);
      outcome.failed += steps.length - i - 1;
      break;
    }
  }
  return outcome;
}
