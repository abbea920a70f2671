import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { bundle } from '../../clients/widget/build/bundle.ts';
import { type StubGateway, stubGateway } from '../../clients/widget/src/testing/stub-gateway.ts';
import { findings } from './axe.ts';
import { inBrowser, openTab } from './shared.ts';
import { chat, hostPage } from './shop.ts';

const FIELDS = [
  { id: 'text', name: 'Order', type: 'TEXT', required: false },
  { id: 'long', name: 'What is broken?', type: 'LONG_TEXT', required: true },
  { id: 'mail', name: 'Another address', type: 'EMAIL', required: false },
  { id: 'count', name: 'How many?', type: 'NUMBER', required: false },
  { id: 'day', name: 'Since when?', type: 'DATE', required: false },
  { id: 'agreed', name: 'Call me', type: 'CHECKBOX', required: false },
  {
    ...{ id: 'one', name: 'Product', type: 'SELECT', required: true },
    defaultSelectValues: [
      { value: 'lens', label: 'A lens' },
      { value: 'tripod', label: 'A tripod' },
    ],
  },
  {
    ...{ id: 'some', name: 'Colours', type: 'MULTI_SELECT', required: true },
    defaultSelectValues: [
      { value: 'r', label: 'Red' },
      { value: 'g', label: 'Green' },
      { value: 'b', label: 'Blue' },
    ],
  },
];

/** A stub with the widget and a page that shows it. */
async function widgetStub(): Promise<StubGateway> {
  const [stub, widget] = await Promise.all([stubGateway(), bundle()]);
  stub.serve = ({ path }, response) => {
    const [, , version, file] = path.split('/');
    const isPage = path === '/page';
    const script =
      path === '/widget.js' ? widget.launcher : version === widget.version && widget.panels[file!.slice(0, 2)];
    if (!isPage && !script) return false;
    response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'text/javascript' });
    response.end(script || hostPage(`<script async src="${stub.base}widget.js" data-chatbot="R7ne6P7zrruV"></script>`));
    return true;
  };
  return stub;
}

inBrowser('the form that leads to a person', () => {
  let starting: Promise<StubGateway> | undefined;
  afterAll(async () => (await starting)?.[Symbol.asyncDispose]());
  beforeEach(async () => (await starting)?.refuse.clear());

  async function page() {
    starting ??= widgetStub();
    const stub = await starting;
    Object.assign(stub.chatbot!, { ticket_form: 'T4mw8Q2xkzLc' });
    Object.assign(stub, { form: { title: 'Repairs', fields: FIELDS } });
    stub.answer = { sentences: ['I do not know.'], sources: [], confidence: null };
    stub.requests.length = 0;
    const tab = await openTab(`${stub.base}page`);
    const person = tab.page.getByRole('button', { name: 'Talk to a person' });
    return { stub, ...tab, ...chat(tab.page), person, [Symbol.asyncDispose]: tab[Symbol.asyncDispose] };
  }
  const opened = ({ requests }: StubGateway) => requests.filter(({ path }) => path.endsWith('/tickets'));

  test('without one, nothing leads there', async () => {
    await using w = await page();
    Object.assign(w.stub.chatbot!, { ticket_form: null });
    await w.open();
    await w.answered();
    expect(await w.person.count()).toBe(0);
  });

  test('it is offered by itself where there is no answer, and carries the conversation', async () => {
    await using w = await page();
    await w.open();
    expect(await w.person.count()).toBe(1);
    await w.answered();
    await w.page.getByText('Would you rather talk to a person?').waitFor();
    await w.field.fill('And also');
    await w.person.first().click();
    await w.page.getByRole('heading', { name: 'Repairs' }).waitFor();
    await w.page.getByText('This conversation is sent along.').waitFor();
    expect(await findings(w.page)).toEqual([]);

    const field = (name: string) => w.page.getByLabel(name, { exact: true });
    await field('Your email address').fill('ann@example.com');
    await field('Your name (optional)').fill('Ann');
    await field('What is broken?').fill('The lens\nand the tripod');
    await field('How many? (optional)').fill('2.5');
    await field('Since when? (optional)').fill('2026-03-01');
    await field('Call me (optional)').check();
    await field('Product').selectOption('A tripod');
    const send = w.page.getByRole('button', { name: 'Send' });
    await send.click();
    // One of the colours is required: the browser says so.
    expect(opened(w.stub)).toEqual([]);
    await field('Green').check();
    await field('Blue').check();
    await send.click();
    await w.page.getByText('The answer will come to ann@example.com.').waitFor();
    expect(await findings(w.page)).toEqual([]);
    const [{ body }] = opened(w.stub) as [{ body: unknown }];
    expect(body).toEqual({
      email: 'ann@example.com',
      name: 'Ann',
      answers: [
        { field_id: 'long', value: 'The lens\nand the tripod' },
        { field_id: 'count', value: 2.5 },
        { field_id: 'day', value: '2026-03-01' },
        { field_id: 'agreed', value: true },
        { field_id: 'one', value: 'tripod' },
        { field_id: 'some', value: ['g', 'b'] },
      ],
      conversation: [...w.stub.conversations.keys()].at(-1),
    });
    await w.dialog.getByRole('button', { name: 'Back to the chat' }).last().click();
    await w.answers.first().waitFor();
    // What was being written is still there.
    expect(await w.field.inputValue()).toBe('And also');
    expect(w.problems).toEqual([]);
  });

  test('what was written stays where sending failed, and is sent again as the same ticket', async () => {
    await using w = await page();
    Object.assign(w.stub, { form: { title: 'Repairs', fields: [] } });
    await w.open();
    await w.person.click();
    await w.page.getByLabel('Your email address').fill('ann@example.com');
    const send = w.page.getByRole('button', { name: 'Send' });
    w.stub.refuse.set('/tickets', [400, 'email must be an address that exists.']);
    await send.click();
    await w.page.getByText('email must be an address that exists.').waitFor();
    w.stub.refuse.set('/tickets', [503, 'Unavailable.']);
    await send.click();
    await w.page.getByText('The assistant is not available right now.').waitFor();
    w.stub.refuse.clear();
    await send.click();
    await w.page.getByText('Your message has been sent.').waitFor();
    const keys = opened(w.stub).map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    // Without a conversation, none goes along.
    expect(opened(w.stub).at(-1)!.body).toEqual({ email: 'ann@example.com', answers: [] });
  });
});
