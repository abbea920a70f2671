import { expect, test } from '@jest/globals';
import { extract } from './extract.ts';

/** A page that loses more of its prose is not read whole. */
const SMALLEST_SHARE = 0.8;

const prose = (topic: string, sentences = 4) =>
  Array.from(
    { length: sentences },
    (_, i) => `The ${topic} has a property ${i}, which its users should know about.`,
  ).join(' ');
const p = (topic: string, sentences?: number) => `<p>${prose(topic, sentences)}</p>`;
const links = (count: number, href = (i: number) => `/page${i}.html`) =>
  Array.from({ length: count }, (_, i) => `<li><a href="${href(i)}">LINK number ${i}</a></li>`).join('');
const menu = `<ul>${links(12)}</ul>`;
const contents = `<ul>${links(8, (i) => `#part${i}`)}</ul>`;
const chapters = (count: number, render: (topic: string, i: number) => string) =>
  Array.from({ length: count }, (_, i) => render(`chapter${i}`, i)).join('');

/** Pages as people and programs write them. What a reader would skip says LINK or SKIP. */
const PAGES: Record<string, string> = {
  'one long page of chapters, without a main part': chapters(
    12,
    (topic, i) => `<div><h2 id="part${i}">About ${topic}</h2>${p(topic, i === 4 ? 30 : 3)}</div>`,
  ),
  'several articles': chapters(5, (topic) => `<article><h2>${topic}</h2>${p(topic)}</article>`),
  'a main part, and text beside it': `<main><h1>Title</h1>${p('main')}</main><div>${p('beside')}</div>`,
  'a navigation element around everything': `<nav>${menu}<h1>Title</h1>${chapters(3, (topic) => p(topic, 8))}</nav>`,
  'a class of navigation on the text': `<div class="menu contents nav"><h1>Title</h1>${chapters(4, (topic) => p(topic))}</div>`,
  'a form around everything': `<form>${menu}<h1>Title</h1>${chapters(3, (topic) => p(topic))}</form>`,
  'frames of tables': `<table><tr><td width="150"><a href="/">LINK</a><br>${links(9)}</td><td><h1>Title</h1>${chapters(
    3,
    (topic) => `<h3>${topic}</h3>${p(topic)}`,
  )}</td></tr><tr><td colspan="2"><small>© 2020 SKIP</small></td></tr></table>`,
  'definition lists': `<dl>${chapters(9, (topic) => `<dt>${topic}</dt><dd>${prose(topic, 1)}</dd>`)}</dl>`,
  'paragraphs of line breaks': `<font>${chapters(6, (topic) => `<b>${topic}</b><br>${prose(topic)}<br><br>`)}</font>`,
  'linked cards': chapters(6, (topic) => `<a href="/${topic}"><h3>${topic}</h3><p>${prose(topic, 1)}</p></a>`),
  'a list of linked terms with meanings': `<ul>${chapters(9, (topic) => `<li><a href="/${topic}">${topic}</a>: ${prose(topic, 1)}</li>`)}</ul>`,
  'text in elements of its own': `<my-app><my-nav><ul>${links(9)}</ul></my-nav><my-page><h1>Title</h1>${chapters(3, (topic) => `<my-text>${prose(topic)}</my-text>`)}</my-page></my-app>`,
  'an accordion': chapters(
    4,
    (topic) => `<button class="accordion">What is ${topic}?</button><div>${p(topic, 1)}</div>`,
  ),
  DocBook: `<div class="navheader"><table><tr><th colspan="3">Chapter 5. SKIP</th></tr><tr><td><a accesskey="p" href="a.html">Prev</a> </td><th>LINK</th><td> <a accesskey="n" href="b.html">Next</a></td></tr></table><hr></div>
    <div class="chapter"><div class="titlepage"><div><div><h1 class="title"><a name="ch"></a>Chapter 5. Ports</h1></div></div></div>
    <div class="toc"><p><b>SKIP Table of Contents</b></p><dl class="toc">${chapters(6, (topic, i) => `<dt>5.${i}. <a href="#${topic}">LINK ${topic} and when should I use it instead of something else?</a></dt>`)}</dl></div>
    ${chapters(6, (topic) => `<div class="section"><div class="titlepage"><div><div><h2 class="title"><a name="${topic}"></a>${topic}</h2></div></div></div>${p(topic)}</div>`)}</div>
    <div class="navfooter"><hr><table><tr><td><a accesskey="p" href="a.html">Prev</a> </td><td><a accesskey="u" href="u.html">Up</a></td><td> <a accesskey="n" href="b.html">Next</a></td></tr><tr><td>LINK Chapter 4 </td><td><a accesskey="h" href="index.html">Home</a></td><td> LINK Chapter 6</td></tr></table></div>`,
  'DocBook with pictures': `<div class="navheader"><table><tr><th colspan="3">Chapter 5. SKIP of ports and their names</th></tr><tr><td><a accesskey="p" href="a.html"><img src="p.png" alt="Prev"></a> </td><th> </th><td> <a accesskey="n" href="b.html"><img src="n.png" alt="Next"></a></td></tr></table><hr></div>
    <div class="chapter"><h1 class="title"><a name="ch"></a>Chapter 5. Ports</h1>${chapters(6, (topic) => `<div class="section"><h2 class="title"><a name="${topic}"></a>${topic}</h2>${p(topic)}</div>`)}</div>
    <div class="navfooter"><hr><table><tr><td><a accesskey="p" href="a.html"><img src="p.png" alt="Prev"></a> </td><td> </td><td> <a accesskey="n" href="b.html"><img src="n.png" alt="Next"></a></td></tr><tr><td>Chapter 4. SKIP of hosts and their addresses</td><td><a accesskey="h" href="index.html"><img src="h.png" alt="Home"></a></td><td>Chapter 6. SKIP of names</td></tr></table></div>`,
  Sphinx: `<div class="related" role="navigation"><h3>SKIP Navigation</h3>${menu}</div><div class="document"><div class="body" role="main"><section id="ports"><h1>Ports<a class="headerlink" href="#ports">¶</a></h1>
    <div class="contents topic"><p class="topic-title">SKIP Contents</p>${contents}</div>${p('ports')}
    <dl class="py function"><dt class="sig" id="f.open"><code>f.open(port)</code></dt><dd>${p('function')}<div class="admonition note"><p class="admonition-title">Note</p>${p('note')}</div></dd></dl></section></div></div>
    <div class="sphinxsidebar" role="navigation"><h3><a href="index.html">SKIP Table of Contents</a></h3>${contents}</div><div class="footer" role="contentinfo">© SKIP Created using Sphinx.</div>`,
  Doxygen: `<div id="top"><div id="titlearea">SKIP</div><div id="main-nav"></div><div id="nav-path" class="navpath"><ul>${links(3)}</ul></div></div>
    <div class="header"><div class="summary"><a href="#a">LINK Public Members</a> | <a href="#b">LINK List of all members</a></div><div class="headertitle"><div class="title">Port Class</div></div></div>
    <div class="contents"><h2 class="groupheader">Detailed Description</h2>${p('class')}<div class="memitem"><table class="memname"><tr><td>void open</td><td>(int port)</td></tr></table><div class="memdoc">${p('member')}</div></div></div><hr class="footer"><address class="footer"><small>SKIP Generated by <a href="http://x">doxygen</a> 1.9</small></address>`,
  'a manual page': `<table class="head"><tr><td>SKIP(1)</td></tr></table><div class="manual-text"><section class="Sh"><h1 class="Sh" id="NAME"><a class="permalink" href="#NAME">NAME</a></h1>${p('name')}</section><section class="Sh"><h1 class="Sh" id="OPTIONS"><a class="permalink" href="#OPTIONS">OPTIONS</a></h1><dl class="Bl-tag">${chapters(9, (topic) => `<dt id="${topic}"><a class="permalink" href="#${topic}"><code>--${topic}</code></a></dt><dd>${prose(topic, 1)}</dd>`)}</dl></section></div><table class="foot"><tr><td>SKIP July 2020</td></tr></table>`,
  Texinfo: `<div class="nav-panel"><p>SKIP Next: <a href="b.html" accesskey="n" rel="next">LINK Next</a>, Previous: <a href="a.html" accesskey="p" rel="prev">LINK Prev</a>, Up: <a href="u.html" accesskey="u" rel="up">LINK Up</a> &nbsp; [<a href="#SEC_Contents">Contents</a>][<a href="i.html">Index</a>]</p></div>
    <span id="Ports"></span><h2 class="chapter">3 Ports</h2>${p('ports')}<ul class="section-toc">${contents}</ul><h3 class="section">3.1 More</h3>${p('more')}<pre class="example">open --port 9000 --everything --now</pre>`,
  'a shop with a cookie notice and a footer': `<header><a href="/">LINK</a><ul>${links(6)}</ul></header><div class="c"><div class="b"><p>We use cookies on this site, SKIP. They help us to improve it.</p><button>Accept</button><button>Reject</button></div>
    <h1>Lamps</h1>${p('lamp')}${p('shade')}</div><p class="breadcrumbs"><a href="/">LINK Home</a> > <a href="/l">LINK Lamps</a> > Red</p><footer><p>SKIP All prices include the tax that is due.</p>${menu}</footer>`,
  'a list of links without a name': `<h1>Title</h1><div><div><a href="/a">LINK a</a></div><div><a href="/b">LINK b</a></div><div><a href="/c">LINK c</a></div></div>${p('text')}<p><a href="/a">LINK</a> | <a href="/b">LINK</a> | <a href="/c">LINK</a></p>${p('end')}`,
};

test.each(Object.entries(PAGES))('%s is read whole, without what a reader skips', (_, body) => {
  const { blocks, kept } = extract(`<html><head><title>T</title></head><body>${body}</body></html>`, 'http://x/');
  const text = blocks.map((block) => block.text).join('\n');
  const sentences = [...new Set(body.match(/The \w+ has a property \d+, which its users should know about\./g))];
  const read = sentences.filter((sentence) => text.includes(sentence));
  expect(read.length / sentences.length).toBeGreaterThanOrEqual(SMALLEST_SHARE);
  expect(sentences.filter((sentence) => !text.includes(sentence))).toEqual([]);
  expect(text).not.toMatch(/LINK|SKIP/);
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThanOrEqual(1);
});

const blocksIn = (body: string) => extract(`<body>${body}</body>`, 'http://x/').blocks;

test('a list of links that a sentence introduces is what the page says; one to its own parts is not', () => {
  const sold =
    '<ul><li><a href="/red">Red lamp</a></li><li><a href="/b">Blue lamp</a></li><li><a href="/g">Green lamp</a></li></ul>';
  expect(blocksIn(`<p>We sell these three lamps:</p>${sold}`).map(({ text }) => text)).toEqual([
    'We sell these three lamps:',
    '- Red lamp',
    '- Blue lamp',
    '- Green lamp',
  ]);
  expect(blocksIn(`${p('page')}<p>This page has the following parts:</p>${contents}`).map(({ text }) => text)).toEqual([
    prose('page'),
  ]);
});

test.each([
  ['its own id', '<h2 id="a">Port</h2>'],
  ['the id of its section', '<section id="a"><h2>Port</h2></section>'],
  ['an old anchor in it', '<h2><a name="a"></a>Port</h2>'],
  ['an old anchor before it', '<a name="a"></a><h2>Port</h2>'],
  ['an empty element before it', '<p>Before.</p><span id="a"></span><h2>Port</h2>'],
])('a heading has the anchor of %s', (_, heading) => {
  expect(blocksIn(`<div id="page"><p>Start.</p></div>${heading}<p id="b">Text.</p>`)).toContainEqual({
    kind: 'heading',
    level: 2,
    text: 'Port',
    anchor: 'a',
  });
});

test('a question or a numbered line in bold is a heading below the last one, with its anchor; other bold text is not', () => {
  const body = `<h2>Questions</h2><a name="q1"></a><p><b>How do I <i>open</i> a port?</b></p><blockquote>Call it.</blockquote>
    <a name="q2"></a><p><strong>(2) It does not open!</strong></p><p>Call it again.</p><p><b>Note</b></p><p><b>Is it open?</b> Yes.</p>
    <ul><li><b>Why?</b></li></ul><table><tr><td><b>Who?</b><td>All</table><h2>More</h2><p>Text.</p>`;
  expect(blocksIn(body)).toEqual([
    { kind: 'heading', level: 2, text: 'Questions' },
    { kind: 'heading', level: 3, text: 'How do I open a port?', anchor: 'q1' },
    { kind: 'text', text: 'Call it.' },
    { kind: 'heading', level: 3, text: '(2) It does not open!', anchor: 'q2' },
    { kind: 'text', text: 'Call it again.' },
    { kind: 'text', text: 'Note' },
    { kind: 'text', text: 'Is it open? Yes.' },
    { kind: 'item', text: '- Why?' },
    { kind: 'row', text: 'Who? | All' },
    { kind: 'heading', level: 2, text: 'More' },
    { kind: 'text', text: 'Text.' },
  ]);
});

test.each([
  ['a row of headers', '<tr><th>Name<th>Default<tr><td>PORT<td>8080', ['Name: PORT; Default: 8080']],
  ['a head', '<thead><tr><th>Name<th>Use</thead><tr><td>a<td>One.<tr><td>b<td>', ['Name: a; Use: One.', 'Name: b']],
  ['headers of rows', '<tr><th>Port<td>8080<tr><th>Host:<td>any', ['Port: 8080', 'Host: any']],
  ['both', '<tr><td><th>Free<th>Paid<tr><th>Pages<td>5<td>50', ['Pages; Free: 5; Paid: 50']],
  ['no headers', '<tr><td>a<td>b<tr><td>c<td>d', ['a | b', 'c | d']],
  ['only headers', '<tr><th>a<th>b', ['a | b']],
  [
    'cells that span',
    '<tr><th>Day<th colspan=2>Hours<tr><td rowspan=2>Mon<td>9<td>12<tr><td>13<td>17',
    ['Day: Mon; Hours: 9; Hours: 12', 'Day: Mon; Hours: 13; Hours: 17'],
  ],
  ['lists in cells', '<tr><th>Plan<th>Has<tr><td>Free<td><ul><li>a<li>b</ul>', ['Plan: Free; Has: a b']],
])('a table with %s has its headers in each row', (_, rows, lines) => {
  expect(blocksIn(`<table>${rows}</table>`)).toEqual(lines.map((text) => ({ kind: 'row', text })));
});

test('a table of many rows under long headers repeats no more than it may', () => {
  const body = `<table><tr><th>${'h'.repeat(5_000)}<th>${'i'.repeat(5_000)}${'<tr><td rowspan=9>a<td>b'.repeat(20_000)}</table>`;
  const length = blocksIn(body).reduce((sum, { text }) => sum + text.length, 0);
  expect(length).toBeLessThan(2 * body.length);
});
