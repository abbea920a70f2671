import { must } from '../e2e/api.ts';
import type { Chat, Page } from '../e2e/resources.ts';
import { openShop, openTab } from './shared.ts';
import { chat, hostPage, type Shop } from './shop.ts';

/** Returns the only chat of a chatbot, as its owner reads it. */
export async function onlyChat({ a }: Shop, chatbot: { id: string }): Promise<Chat> {
  const { items } = must(await a.api.get<Page<Chat>>(`/chatbot/${chatbot.id}/chats`));
  expect(items).toHaveLength(1);
  return must(await a.api.get<Chat>(`/chatbot/${chatbot.id}/chats/${items[0]!.id}`));
}

/** Opens a page with a chatbot of its own. Through another gateway, if one is given. */
export async function ownPage(gateway?: string) {
  const shop = await openShop();
  const own = await shop.another();
  const snippet = shop.snippet(own);
  const path = `/faults-${own.public_id}`;
  shop.pages.pages[path] = hostPage(gateway ? snippet.replace(shop.gateway, gateway) : snippet);
  const tab = await openTab(new URL(path, shop.pages.url).href);
  return { ...shop, own, ...tab, ...chat(tab.page), [Symbol.asyncDispose]: tab[Symbol.asyncDispose] };
}
