import type { Page } from 'playwright-core';
import { must } from '../e2e/api.ts';
import { type ModelServer, modelServer } from '../e2e/model-server.ts';
import type { Chatbot } from '../e2e/resources.ts';
import { html, type Site, site } from '../e2e/site.ts';
import { type World, world } from '../e2e/world.ts';

/** A whole system, a site that it has read, and pages of that site that show its chatbot. */
export interface Shop extends World {
  model: ModelServer;
  /** Its pages may be added to at any time. */
  pages: Site;
  /** May be shown on the pages of the site; the colour is the owner's. */
  chatbot: Chatbot;
  /** Ends with a slash. */
  gateway: string;
  /** The script tag. */
  snippet(chatbot?: { public_id: string }, attributes?: string): string;
  /** Creates another chatbot with the same knowledge. */
  another(fields?: object): Promise<Chatbot>;
}

export const COLOUR = '#0b7a4b';
export const QUESTION = 'How many crowns does a visit to the observatory cost?';
export const ANSWER = ['It costs nine crowns [1]. ', 'Children under twelve pay nothing [1].'];
/** Its model's usual behaviour. */
export const AS_USUAL: Partial<ModelServer> = { chat: ANSWER, rewritten: QUESTION, beforePart: () => {} };

export async function startShop(): Promise<Shop> {
  const model = Object.assign(await modelServer(), AS_USUAL);
  const pages = await site({
    '/': html('Observatory', 'The dome opens on clear nights only. Visitors may look through the old refractor.', [
      '/fees',
    ]),
    '/fees': html('Fees', 'A visit to the observatory costs nine crowns. Children under twelve pay nothing.'),
  });
  const variables = {
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'sk-of-this-test',
    OPENAI_EMBEDDING_MODEL: 'words',
  };
  const system = await world({ embeddings: 'openai', variables }, async ({ a }) => {
    const website = await a.website(pages.url);
    await a.train(website);
    const another = async (fields: object = {}) => {
      const { id } = await a.chatbot(website);
      const host = new URL(pages.url).host;
      return must(await a.api.patch<Chatbot>(`/chatbot/${id}`, { allowed_domains: [host], colour: COLOUR, ...fields }));
    };
    return { another, chatbot: await another({ title: 'Observatory' }) };
  });
  const gateway = `${system.parley.baseUrl}/`;
  const snippet = ({ public_id } = system.chatbot, attributes = '') =>
    `<script async src="${gateway}widget.js" data-chatbot="${public_id}" ${attributes}></script>`;
  pages.pages['/shop'] = hostPage(snippet());
  async function stop() {
    await system.stop();
    await pages[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  }
  return { ...system, model, pages, gateway, snippet, stop };
}

interface HostPage {
  lang?: string;
  dir?: string;
  /** In `head`. */
  head?: string;
}

/** A page with a chat, and enough text to see what it does to it. */
export const hostPage = (snippet: string, { lang = 'en', dir = 'ltr', head = '' }: HostPage = {}): string =>
  `<!doctype html><html lang="${lang}" dir="${dir}"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">${head}</head>
<body><main><h1>Telescopes</h1>${'<p>We sell telescopes, and everything that belongs to them.</p>'.repeat(20)}</main>
${snippet}</body></html>`;

/** Returns the focused element, in the page or in the chat. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const inner = document.activeElement?.shadowRoot?.activeElement;
    return inner ? (inner.getAttribute('aria-label') ?? inner.tagName) : document.activeElement?.tagName;
  });

/** Actions of visitors in the chat. */
export const chat = (page: Page) => ({
  launcher: page.getByRole('button', { name: 'Open chat' }),
  dialog: page.getByRole('dialog'),
  field: page.getByRole('textbox', { name: 'Your message' }),
  answers: page.locator('.bubble .text'),
  log: page.getByRole('log'),
  async open() {
    await this.launcher.click();
    await this.field.waitFor();
  },
  async ask(question = QUESTION) {
    await this.field.fill(question);
    await this.field.press('Enter');
  },
  /** Asks, and waits until the answer is complete. */
  async answered(question = QUESTION) {
    const votes = page.getByRole('button', { name: 'Not helpful' });
    const before = await votes.count();
    await this.ask(question);
    await votes.nth(before).waitFor();
  },
});
