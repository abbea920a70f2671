/** A longer sentence is cut. */
const MAX_SENTENCE = 3_000;
/** Matches the end of a sentence, with closing quotes and brackets. */
const end = /\n|[.!?…。！？؟।॥։።]+["'”’»)」』*_]*/gu;
/** A mark that may have begun. */
const openMarkAt = /[ \t]*(?:[[［【][^\]］】\n]{0,50})?$/uy;
const fence = /^\s*(```|~~~)/;
/** "Dr.", "z. B.", "a.m.", "3. May": words this short are abbreviated more often than they end a sentence. */
const abbreviated = /(?:^|[\s("'])(?:(?:\p{L}{1,3}\.)*\p{L}{1,3}|\d{1,2})\.$/u;

/**
 * Cuts a text into sentences, list items, lines of tables and blocks of code while it is written. Each has the space before
 * it and the marks after it, so that all of them together are the text. One that ends in a mark is complete at once.
 *
 * @param mark the pattern of a mark, such as `[1]`; it begins with a bracket and has at most 60 characters.
 */
export function createSentenceStream(mark: string, complete: (sentence: string) => void) {
  const marksAt = new RegExp(`(?: ?${mark})+`, 'uy');
  const endsInMark = new RegExp(`${mark}$`, 'u');
  let pending = '';
  let scanned = 0;
  /** Before it are only spaces. */
  let begin = 0;

  function take(length: number) {
    const sentence = pending.slice(0, length);
    pending = pending.slice(length);
    scanned = 0;
    begin = 0;
    if (sentence.trim() !== '') complete(sentence);
  }

  function split(isLast: boolean) {
    for (let length = endOf(isLast); length > 0; length = endOf(isLast)) take(length);
  }

  /** Where the first sentence ends; 0 if that is not known yet. */
  function endOf(isLast: boolean): number {
    const [, opening] = fence.exec(pending) ?? [];
    if (opening) return endOfCode(opening);
    for (;;) {
      end.lastIndex = scanned;
      const found = end.exec(pending);
      if (!found) {
        scanned = Math.max(scanned, pending.length - 20);
        return tooLong();
      }
      const after = found.index + found[0].length;
      const length = found[0] === '\n' ? endOfLine(found.index) : endAfter(found.index, found[0], after, isLast);
      if (length === undefined) {
        scanned = found.index;
        return tooLong();
      }
      if (length > 0) return length;
      scanned = after;
    }
  }

  const tooLong = (): number => {
    if (pending.length <= MAX_SENTENCE) return 0;
    const space = pending.lastIndexOf(' ', MAX_SENTENCE);
    return space > 0 ? space : MAX_SENTENCE;
  };

  /** An empty line ends nothing. Each space is looked at once, however many lines there are. */
  function endOfLine(at: number): number {
    while (begin < at && /\s/.test(pending[begin]!)) begin++;
    return begin < at ? at : 0;
  }

  function endOfCode(opening: string): number {
    const begin = pending.indexOf(opening);
    const close = pending.indexOf(`\n${opening}`, Math.max(scanned, begin + 3));
    if (close !== -1) return close + 1 + opening.length;
    scanned = Math.max(begin + 3, pending.length - 3);
    return tooLong();
  }

  /** Undefined: what follows decides; 0: it is no end. */
  function endAfter(from: number, written: string, after: number, isLast: boolean): number | undefined {
    if (endsInMark.test(pending.slice(Math.max(0, from - 60), from))) return after;
    marksAt.lastIndex = after;
    const marks = marksAt.exec(pending);
    if (marks) return after + marks[0].length;
    openMarkAt.lastIndex = after;
    if (openMarkAt.test(pending)) return isLast ? after : undefined;
    const next = /^[ \t]*(.?)/u.exec(pending.slice(after, after + 40))!;
    if (/[。！？]/u.test(written)) return after;
    if (next[0] === next[1] && next[1] !== '') return 0;
    const isStop = written.startsWith('.') && written.length === 1;
    if (isStop && (/\p{Ll}/u.test(next[1]!) || abbreviated.test(pending.slice(Math.max(0, after - 16), after))))
      return 0;
    return after;
  }

  return {
    /** Cuts piece by piece, since each cut looks at all that is pending. */
    push(text: string) {
      for (let at = 0; at < text.length; at += MAX_SENTENCE) {
        pending += text.slice(at, at + MAX_SENTENCE);
        split(false);
      }
    },
    end() {
      split(true);
      take(pending.length);
    },
  };
}
