/** Writes one line to the terminal. */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/** Writes one line to the terminal that is not part of a program's output. */
export function note(line) {
  process.stderr.write(`${line}\n`);
}

/** Writes a message for the user and exits with 1. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Shows one line on standard error while `work` goes on, and the seconds it took; a terminal sees them count. */
export async function during(label, work) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  process.stderr.write(label);
  const counting = process.stderr.isTTY
    ? setInterval(() => process.stderr.write(`\r${label} ${seconds()}`), 500)
    : undefined;
  try {
    return await work();
  } finally {
    clearInterval(counting);
    process.stderr.write(`${counting ? `\r${label}` : ''} ${seconds()}\n`);
  }
}
