/** Writes one line to the terminal. */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/** Writes a sentence for the user and ends the process with 1. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Shows one line on standard error while `work` goes on, with the seconds it takes; a terminal sees them count. */
export async function during(label, work) {
  const started = Date.now();
  const show = (end) => process.stderr.write(`${label} ${Math.round((Date.now() - started) / 1000)} s${end}`);
  const counting = process.stderr.isTTY ? setInterval(() => show('\r'), 500) : undefined;
  try {
    return await work();
  } finally {
    clearInterval(counting);
    show('\n');
  }
}
