import { expect, test } from '@jest/globals';
import { separator } from '../text/blocks.ts';
import { type Extracted, extract as extractBlocks } from './extract.ts';

const address = 'http://example.org/docs/page.html';
const sentence = 'Parley answers questions from the knowledge that an account has trained, and it cites its sources. ';
const paragraph = `<p>${sentence.repeat(3)}</p>`;
const page = (body: string, head = '') => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
/** The blocks as one text, with headings as in Markdown. */
const textIn = ({ blocks }: Extracted) =>
  blocks
    .map((block, i) => {
      const before = blocks[i - 1];
      if (block.kind === 'heading') return `${before ? '\n\n' : ''}${'#'.repeat(block.level)} ${block.text}`;
      const between = !before ? '' : before.kind === 'heading' ? '\n\n' : separator(before.kind, block.kind);
      return between + block.text;
    })
    .join('');
function extract(html: string, address: string) {
  const extracted = extractBlocks(html, address);
  return { ...extracted, text: textIn(extracted) };
}
const textOf = (body: string) => extract(page(`<main>${body}</main>`), address).text;

test('headings, paragraphs, lists, code and tables become readable blocks', () => {
  const { text } = extract(
    page(`<article><h1>Ports</h1>${paragraph}
      <h2>Changing <em>the</em> port<a class="headerlink" href="#port">¶</a></h2>
      <p>One line<br>and another,
         wrapped.</p>
      <ul><li>first<ul><li>nested</li></ul></li><li><p>second</p><p>more of it</p></li></ul>
      <ol><li>one</li><li>two</li></ol>
      <pre><code># npm start
  --port 9000
</code></pre>
      <dl><dt>PORT</dt><dd>The port.</dd></dl>
      <table><tr><th>Name</th><th>Default</th></tr><tr><td>PORT</td><td><p>8080</p></td></tr></table>
      <p><code># root</code> is a prompt.</p></article>`),
    address,
  );
  expect(text.slice(text.indexOf('## Changing'))).toBe(
    `## Changing the port

One line
and another, wrapped.

- first
  - nested
- second
  more of it
1. one
2. two

    # npm start
      --port 9000

PORT
The port.

Name: PORT; Default: 8080

# root is a prompt.`,
  );
});

test('a layout table is read block by block', () => {
  const text = textOf(`${paragraph}<table><tr><td><h2>Left</h2><p>One.</p><ul><li>two</li></ul></td></tr></table>`);
  expect(text).toContain('## Left\n\nOne.\n\n- two');
});

test.each([
  ['a hidden attribute', '<div hidden>HIDDEN</div>'],
  ['aria-hidden', '<div aria-hidden="true">HIDDEN</div>'],
  ['display: none', '<div style="color:red; display : none">HIDDEN</div>'],
  ['visibility: hidden', '<p style="VISIBILITY:hidden">HIDDEN</p>'],
  ['no size', '<span style="font-size:0px">HIDDEN</span>'],
  ['no opacity', '<span style="opacity:0">HIDDEN</span>'],
  ['a template', '<template><p>HIDDEN</p></template>'],
  ['noscript', '<noscript><p>HIDDEN</p></noscript>'],
  ['a script', '<script>HIDDEN</script>'],
  ['a style', '<style>HIDDEN</style>'],
  ['a comment', '<!-- HIDDEN -->'],
  ['a text area', '<textarea>HIDDEN</textarea>'],
])('what %s hides is not read', (_, hidden) => {
  for (const body of [`<main>${paragraph}${hidden}${paragraph}</main>`, `<p>Short.</p>${hidden}`]) {
    const { text } = extract(page(body), address);
    expect(text).not.toContain('HIDDEN');
    expect(text).not.toBe('');
  }
});

test('text that only looks hidden is read', () => {
  const text = textOf(`${paragraph}<p style="font-size:0.9em">small</p><p style="opacity:0.5">pale</p>
    <h3><button>Question?</button></h3><details><summary>More</summary><p>folded</p></details>`);
  for (const seen of ['small', 'pale', '### Question?', 'folded']) expect(text).toContain(seen);
});

test('invisible characters are removed, from the title too', () => {
  const smuggled = [...'obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  const { text, title } = extract(
    page(
      `<p>a\u200Bb\u202Ec\u2066d\uFEFFe\u00ADf${smuggled}g\u0000\u0007 h\u00A0i</p>`,
      `<title>T\u200B${smuggled}</title>`,
    ),
    address,
  );
  expect(text).toBe('abcdefg h i');
  expect(title).toBe('T');
});

test('what an image shows is read, unless it is an icon, a decoration or named after its file', () => {
  const images = `<figure><picture><source srcset="a.webp"><img src="a.png" alt="A valve
      with two levers"></picture><figcaption>Figure 1</figcaption></figure>
    <p>Press <img src="b.png" alt="the red button"> twice.</p>
    <a href="full.png"><img src="c.png" alt="The whole plan of the house"></a>
    <a href="/"><img src="home.png" alt="SKIP home"></a><img src="d.png" alt="SKIP.png"><img src="e.png" alt="">
    <img src="f.png" alt="SKIP" role="presentation"><img src="g.png" alt="SKIP this" hidden><img src="h.png" alt="→">`;
  const text = textOf(paragraph + images);
  for (const seen of [
    'A valve with two levers',
    'Press the red button twice.',
    'The whole plan of the house',
    'Figure 1',
  ])
    expect(text).toContain(seen);
  for (const unseen of ['SKIP', '→']) expect(text).not.toContain(unseen);
});

test('a page of thousands of images is read', () => {
  expect(extract(page('<img alt="an image of it">'.repeat(20_000)), address).text).toHaveLength(20_000 * 15 - 1);
});

test('text around the article is left out', () => {
  const { text } = extract(
    page(`<nav><a href="/">Home</a></nav><div class="sidebar">Sidebar</div>
      <div class="content"><h2>Title</h2>${paragraph.repeat(3)}</div><footer>Imprint</footer>`),
    address,
  );
  expect(text).toContain('Parley answers');
  for (const around of ['Home', 'Sidebar', 'Imprint']) expect(text).not.toContain(around);
});

test('a short page keeps its text, without its navigation', () => {
  const { text } = extract(page('<nav>Home</nav><p>Open from nine to five.</p><footer>Imprint</footer>'), address);
  expect(text).toBe('Open from nine to five.');
});

test('a main part of many equal sections keeps all of them, with their headings', () => {
  const sections = Array.from(
    { length: 30 },
    (_, i) => `<section><h3 class="header">F${i}</h3><p>Does ${i}.</p></section>`,
  );
  const text = textOf(sections.join(''));
  for (let i = 0; i < 30; i++) expect(text).toContain(`### F${i}\n\nDoes ${i}.`);
});

test('a table of contents is left out unless the page has nothing else', () => {
  const contents = '<div class="toc"><ul><li><a href="#a">How do I start?</a></li></ul></div>';
  expect(extract(page(contents + paragraph), address).text).not.toContain('How do I start?');
  expect(extract(page(contents), address).text).toBe('- How do I start?');
});

test('links are absolute, unique and relative to the base; canonical, language and title are found', () => {
  const extracted = extract(
    `<html lang="de"><head><base href="/base/"><title> A
      title </title><link rel="canonical" href="../canonical"></head><body>
      <a href="one#part">1</a><a href="one">1</a><a href="//other.example/x">2</a><a href="mailto:a@b">3</a>
      <a href="javascript:alert(1)">4</a><a href="http://[">5</a><div hidden><a href="menu">6</a></div></body></html>`,
    address,
  );
  expect(extracted).toMatchObject({
    title: 'A title',
    lang: 'de',
    canonical: 'http://example.org/canonical',
    links: ['http://example.org/base/one', 'http://other.example/x', 'http://example.org/base/menu'],
  });
});

test('fragments, empty pages and unclosed markup are read as a browser would', () => {
  expect(extract('', address)).toMatchObject({ title: '', text: '', links: [] });
  expect(extract('Just text & an <b>unclosed <i>tag', address).text).toBe('Just text & an unclosed tag');
  expect(extract('<ul><li>a<li>b</ul><p>c<p>d', address).text).toBe('- a\n- b\n\nc\n\nd');
});

test('a page nested deeper than the call stack is read', () => {
  expect(extract(`${'<div>'.repeat(5000)}deep`, address).text).toBe('deep');
});
