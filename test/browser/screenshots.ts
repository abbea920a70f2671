/**
 * `node deploy/run.mjs test/browser/screenshots.ts`: takes the pictures of docs/images, from a real system with a site, a model that says what these need,
 * and a browser.
 */
import { mkdir } from 'node:fs/promises';
import { launch, openTab } from './browser.ts';
import { chat, startShop } from './shop.ts';

const IMAGES = 'docs/images';
const SITE = `
body { margin: 0; background: #fbfaf7; color: #23262d; font: 18px/1.65 Georgia, "DejaVu Serif", serif; }
nav { display: flex; gap: 32px; align-items: baseline; padding: 22px 8vw; border-bottom: 1px solid #e4e0d6; font: 15px system-ui, sans-serif; }
nav b { font: 700 22px Georgia, serif; margin-right: auto; }
main { max-width: 640px; padding: 40px 8vw; }
h1 { font-size: 44px; line-height: 1.15; margin: 0 0 16px; }
@media (max-width: 600px) { nav span { display: none } h1 { font-size: 32px } }`;
const TEXT = `<p>Our dome has stood on the hill since 1887. On clear nights it opens to everybody, and the old refractor shows the rings
of Saturn as it did to our great-grandparents.</p><p>Come half an hour before sunset, dress warmly, and bring a question. The path
up the hill takes ten minutes; there is a bus on Saturdays.</p><p>Schools are welcome by day: the sun is a star, too, and we have the
filter for it.</p>`;
const QUESTION = 'What does a visit cost?';
const ANSWER = [
  'A visit to the observatory costs **nine crowns** [1]. ',
  'Children under twelve pay nothing [1].\n\n',
  '| | Price |\n|---|---|\n| Adults | nine crowns [1] |\n| Children under twelve | nothing [1] |\n',
];

const page = (snippet: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Observatory</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><style>${SITE}</style></head>
<body><nav><b>The Observatory</b><span>Visits</span><span>Programme</span><span>History</span></nav>
<main><h1>See the sky as it was seen in 1887</h1>${TEXT}</main>${snippet}</body></html>`;

const shop = await startShop();
const browser = await launch();
try {
  await mkdir(IMAGES, { recursive: true });
  Object.assign(shop.model, { chat: ANSWER, rewritten: QUESTION });
  const { public_id } = await shop.another({
    title: 'Observatory',
    greeting: 'Good evening! Ask me about your visit.',
    suggestions: [QUESTION, 'When does the dome open?', 'May children come?'],
    colour: '#1f4b6e',
  });
  shop.pages.pages['/visit'] = page(shop.snippet({ public_id }, 'data-colour="#1f4b6e"'));
  for (const [name, url, width, height, question] of [
    ['widget-1440', `${shop.pages.url}visit`, 1440, 900, QUESTION],
    ['widget-390', `${shop.pages.url}visit`, 390, 844, QUESTION],
    ['widget-320', `${shop.pages.url}visit`, 320, 640, undefined],
    ['chat-page-1440', `${shop.gateway}chat/${public_id}`, 1440, 700, QUESTION],
  ] as const) {
    await using tab = await openTab(browser, url, { viewport: { width, height } });
    const w = chat(tab.page);
    if (!url.startsWith(shop.gateway)) await w.open();
    if (question) await w.answered(question);
    // No caret, which blinks.
    await w.dialog.or(tab.page.locator('.panel')).first().focus();
    await tab.page.screenshot({ path: `${IMAGES}/${name}.png` });
  }
} finally {
  await browser.close();
  await shop.stop();
}
