import { expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Page, Thread, TicketForm } from '../e2e/resources.ts';
import { findings } from './axe.ts';
import { inBrowser, openShop, openTab } from './shared.ts';
import { chat, QUESTION, type Shop } from './shop.ts';

const FIELDS = [
  { name: 'Order', type: 'TEXT', required: true },
  { name: 'Product', type: 'SELECT', defaultSelectValues: [{ value: 'lens', label: 'A lens' }] },
];

async function form({ a, pages }: Shop): Promise<TicketForm> {
  const allowed_domains = [new URL(pages.url).host];
  return must(await a.api.post<TicketForm>('/ticket-forms', { title: 'Repairs', allowed_domains, fields: FIELDS }));
}

/** The first message of the only ticket. */
async function ticketOf({ a }: Shop, { id }: TicketForm): Promise<string> {
  const at = `/ticket-form/${id}/tickets`;
  const { items } = must(await a.api.get<Page<Thread>>(at));
  expect(items).toHaveLength(1);
  return must(await a.api.get<Thread>(`${at}/${items[0]!.id}`)).conversation![0]!.message;
}

inBrowser('ticket forms', () => {
  test('a form has a page for itself, also on a small screen, on which axe finds nothing', async () => {
    const shop = await openShop();
    const made = await form(shop);
    const viewport = { width: 320, height: 640 };
    await using tab = await openTab(`${shop.gateway}form/${made.public_id}`, { viewport, locale: 'en-GB' });
    const { page, problems } = tab;
    await page.getByRole('heading', { level: 1, name: 'Repairs' }).waitFor();
    expect(await page.title()).toBe('Repairs');
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.getByLabel('Your email address', { exact: true }).fill('ann@example.com');
    await page.getByLabel('Order', { exact: true }).fill('17');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The answer will come to ann@example.com.').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
    expect(await ticketOf(shop, made)).toBe('Order: 17');
  });

  test('a file goes along, and whoever has opened the ticket reads the answer and writes more at its own address', async () => {
    const shop = await openShop();
    const made = await form(shop);
    const viewport = { width: 320, height: 640 };
    await using tab = await openTab(`${shop.gateway}form/${made.public_id}`, { viewport, locale: 'de-DE' });
    const { page, problems } = tab;
    await page.getByLabel('Ihre E-Mail-Adresse', { exact: true }).fill('ann@example.com');
    await page.getByLabel('Order', { exact: true }).fill('17');
    const photo = { name: 'lens.txt', mimeType: 'image/png', buffer: Buffer.from('It is broken.') };
    await page.getByLabel('Dateien (freiwillig)').setInputFiles([photo]);
    await page.getByRole('button', { name: 'Senden' }).click();
    await page.getByRole('link', { name: 'Ihre Nachricht ansehen' }).click();
    await page.getByText('Order: 17').waitFor();
    const at = `/ticket-form/${made.id}/tickets`;
    const { items } = must(await shop.a.api.get<Page<Thread>>(at));
    const ticket = `${at}/${items[0]!.id}`;
    const [first] = must(await shop.a.api.get<Thread>(ticket)).conversation!;
    expect(first).toMatchObject({ attachments: [{ name: 'lens.txt', type: 'text/plain', size: 13 }] });
    must(await shop.a.api.post(`${ticket}/reply`, { message: 'Send us **the lens**.' }));
    must(await shop.a.api.put(ticket, { status: 'resolved' }));
    await page.reload();
    await page.getByText('Send us the lens.').waitFor();
    await page.getByText('Das Anliegen ist abgeschlossen.').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.getByLabel('Ihre Nachricht', { exact: true }).fill('Sent.');
    await page.getByRole('button', { name: 'Senden' }).click();
    await page.locator('.question', { hasText: 'Sent.' }).waitFor();
    const after = must(await shop.a.api.get<Thread>(ticket));
    expect([after.status, after.conversation!.at(-1)!.message]).toEqual(['open', 'Sent.']);
    must(await shop.a.api.del(`${ticket}/link`));
    await page.reload();
    await page.getByText('Dieser Link gilt nicht mehr.').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  test('from a chat it becomes a ticket with what was said', async () => {
    const shop = await openShop();
    const made = await form(shop);
    const chatbot = await shop.another({ ticket_form_id: made.id });
    shop.pages.pages['/person'] = shop.pages.pages['/shop']!.replace(shop.chatbot.public_id, chatbot.public_id);
    await using tab = await openTab(`${shop.pages.url}person`);
    const w = chat(tab.page);
    await w.open();
    await w.answered();
    await tab.page.getByRole('button', { name: 'Talk to a person' }).first().click();
    await tab.page.getByLabel('Your email address', { exact: true }).fill('ann@example.com');
    await tab.page.getByLabel('Order', { exact: true }).fill('17');
    await tab.page.getByRole('button', { name: 'Send' }).click();
    await tab.page.getByText('The answer will come to ann@example.com.').waitFor();
    expect(await ticketOf(shop, made)).toContain(`Order: 17\n\nVisitor: ${QUESTION}\nAssistant: It costs nine crowns`);
  });
});
