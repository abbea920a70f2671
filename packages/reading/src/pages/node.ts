/** A node of the tree that cheerio builds. */
export interface Node {
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly children?: readonly Node[];
  readonly attribs?: Readonly<Record<string, string>>;
}

/** Returns whether an element is a link to the next, the previous or the parent page, by its attributes. */
export const isRelation = ({ name, attribs = {} }: Node): boolean =>
  name === 'a' &&
  (/^[npu]$/i.test(attribs['accesskey'] ?? '') ||
    /(^|[\s_-])(next|prev|previous|up)([\s_-]|$)/i.test(`${attribs['rel'] ?? ''} ${attribs['class'] ?? ''}`));

/** Elements that begin and end a block of text. */
export const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section summary
  table tbody td tfoot th thead tr ul`.split(/\s+/),
);
