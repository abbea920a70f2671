/** Characters of the longest text that is tried. */
const LONGEST = 20_000;
/** More than a short text ever takes. */
const HANGS_MS = 2_000;
/** Milliseconds that a quarter of the longest text may cost without a second look: it can stall nobody. */
const NEGLIGIBLE_MS = 1;
/** Twice the text may take this many times as long. Quadratic work takes four times as long. */
const MAX_GROWTH = 2.9;
const TIMES = 5;

type Work = (text: string) => unknown;

/**
 * For tests of linear work, on texts of up to `longest` characters: the first unit of which twice the text takes far more
 * than twice as long, however often it is measured. Undefined if the work is linear.
 */
export async function superlinear(
  work: Work,
  units: Iterable<string>,
  { negligibleMs = NEGLIGIBLE_MS, longest = LONGEST } = {},
): Promise<string | undefined> {
  for (const unit of units)
    for (const kind of [0, 1])
      if (await growsTooFast(work, (length) => textsOf(unit, length)[kind]!, negligibleMs, longest)) return unit;
  return undefined;
}

const kept = new Map<string, string[]>();

/**
 * Two texts of about this length: the unit, over and over, and either something that ends no match or something before it. The
 * former is not in Latin-1: in a text that is, V8 does not even look for other characters.
 */
function textsOf(unit: string, length: number): string[] {
  const key = `${length} ${unit}`;
  const run = unit.repeat(Math.ceil(length / unit.length));
  const texts = kept.get(key) ?? [`${run}\u0001字`, `x${run}`];
  kept.set(key, texts);
  return texts;
}

/** Short texts come first, since what is worse than quadratic never ends with long ones. The long ones decide. */
async function growsTooFast(
  work: Work,
  textOf: (length: number) => string,
  negligibleMs: number,
  longest: number,
): Promise<boolean> {
  for (const length of [25, 200]) if ((await wallMs(work, textOf(length))) > HANGS_MS) return true;
  if ((await wallMs(work, textOf(longest / 4))) < negligibleMs) return false;
  if (!(await doubles(work, textOf(longest / 8), textOf(longest / 4)))) return false;
  return doubles(work, textOf(longest / 2), textOf(longest));
}

/** By the least of several times on the processor: it says what the work takes, whatever else the machine does. */
async function doubles(work: Work, half: string, whole: string): Promise<boolean> {
  let [shorter, longer] = [Infinity, Infinity];
  for (let i = 0; i < TIMES; i++) {
    shorter = Math.min(shorter, await cpuMs(work, half));
    longer = Math.min(longer, await cpuMs(work, whole));
    if (longer <= MAX_GROWTH * shorter) return false;
  }
  return longer > NEGLIGIBLE_MS;
}

async function wallMs(work: Work, text: string): Promise<number> {
  const begun = performance.now();
  await attempt(work, text);
  return performance.now() - begun;
}

async function cpuMs(work: Work, text: string): Promise<number> {
  const before = process.cpuUsage();
  await attempt(work, text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Most awkward texts are refused, which may not take long either. */
async function attempt(work: Work, text: string): Promise<void> {
  try {
    await work(text);
  } catch {}
}
