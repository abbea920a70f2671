import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

interface Value {
  path: string[];
  /** Default, as JSON. */
  shown: string;
  about: string;
}

const MARK = /^ ?-- /;
/** A value that nobody has by default, written as a comment. */
const COMMENTED = /^ ?(\w+): (?:\{\}|\[\]|"")$/;

const keyOf = (pair: Pair): string => String(isScalar(pair.key) ? pair.key.value : pair.key);

/** Reads what a comment says of the value after it, and of the values that it contains. */
function read(comment: string | null | undefined): { about: string; commented: { key: string; about: string }[] } {
  const commented: { key: string; about: string }[] = [];
  let about: string[] | undefined;
  for (const line of (comment ?? '').split('\n')) {
    const [, key] = COMMENTED.exec(line) ?? [];
    if (MARK.test(line)) about = [line.replace(MARK, '')];
    else if (key !== undefined) {
      commented.push({ key, about: about?.join(' ') ?? '' });
      about = [];
    } else about?.push(line.trim());
  }
  return { about: about?.join(' ').trim() ?? '', commented };
}

function* valuesIn(map: YAMLMap, above: string[] = []): Generator<Value> {
  for (const [i, pair] of (map.items as Pair[]).entries()) {
    const path = [...above, keyOf(pair)];
    // The comment before the first key of a map is the map's.
    const own = (isScalar(pair.key) && pair.key.commentBefore) || (i === 0 && above.length > 0 && map.commentBefore);
    const { about, commented } = read(own || undefined);
    for (const each of commented) yield { path: [...above, each.key], shown: '', about: each.about };
    const inner = isMap(pair.value) ? [...valuesIn(pair.value, path)] : [];
    const isOpened = inner.some((each) => each.about) || above.join() === 'services';
    if (about || !isOpened) {
      const value = (pair.value as { toJSON(): unknown }).toJSON();
      yield { path, shown: isOpened ? '' : JSON.stringify(value), about };
    }
    if (isOpened) yield* inner;
  }
  for (const each of read(map.comment).commented) yield { path: [...above, each.key], shown: '', about: each.about };
}

/** The values of the chart; of the services, what all may have, and where others than the first differ. */
export function* chartValues(valuesYaml: string): Generator<Value> {
  const all = [...valuesIn(parseDocument(valuesYaml).contents as YAMLMap)];
  const ofServices = all.filter(({ path }) => path[0] === 'services');
  const first = ofServices[0]!.path[1];
  const usual = new Map(
    ofServices.filter(({ path }) => path[1] === first).map(({ path, shown }) => [path.slice(2).join('.'), shown]),
  );
  for (const value of all) {
    const [top, service, ...rest] = value.path;
    if (top !== 'services' || service === first || value.about || usual.get(rest.join('.')) !== value.shown)
      yield value;
  }
}

/** Escapes text for a table in Markdown, where a name in angle brackets would be a tag, except in code. */
const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .split('`')
    .map((part, i) => (i % 2 === 0 ? part.replaceAll('<', '&lt;') : part))
    .join('`');

/** The page of values, whose table is written anew. Its prose is its own. */
export function valuesPage(page: string, valuesYaml: string): string {
  const rows = [...chartValues(valuesYaml)].map(
    ({ path, shown, about }) =>
      `| \`${path.join('.')}\` | ${shown && `\`${shown.replaceAll('|', '\\|')}\``} | ${cell(about)} |`,
  );
  const table = ['| Value | Default | |', '|---|---|---|', ...rows, ''].join('\n');
  const at = page.indexOf('| Value |');
  return `${at < 0 ? page : page.slice(0, at)}${table}`;
}
