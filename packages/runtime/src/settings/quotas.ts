import { integer } from './setting.ts';

/** Quotas of an account. The defaults are far beyond what one needs: they bound the damage of a mistake or an attack. */
export const QUOTAS = {
  QUOTA_ITEMS: integer('knowledge items', { fallback: 10_000 }),
  // Each has at least one chunk, and an account may have as many chunks by default.
  QUOTA_FAQ_ITEMS: integer('questions in all FAQs of the account', { fallback: 50_000 }),
  QUOTA_FILES: integer('files of documents and transcripts of videos', { fallback: 10_000 }),
  QUOTA_FILES_MIB: integer('MiB of these files; one that is being uploaded counts as the most that it may have', {
    fallback: 20_480,
  }),
  QUOTA_INDEX_MIB: integer('MiB of what was trained; INDEX_DISK_MIB bounds what one question may search', {
    fallback: 20_480,
  }),
  QUOTA_CHATS: integer('chats; those of a chatbot go with it', { fallback: 1_000_000 }),
  QUOTA_TICKETS: integer('tickets; those of a form go with it', { fallback: 1_000_000 }),
  QUOTA_EMAILS: integer('emails; those of an inbox go with it', { fallback: 1_000_000 }),
  QUOTA_MAILS_MIB: integer(
    'MiB of received mails, as they came and with their attachments, and of files of ticket forms; those of an inbox or a form go with it',
    {
      fallback: 20_480,
    },
  ),
  EVENTS_KEPT: integer('the most events of an account that are kept, for seven days; beyond that, the oldest go', {
    fallback: 1_000_000,
    min: 1_000,
  }),
  QUOTA_WEBHOOKS: integer('webhooks', { fallback: 100 }),
  QUOTA_API_KEYS: integer('API keys; operators may create more', { fallback: 1_000 }),
};
