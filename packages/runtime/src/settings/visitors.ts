import { integer, text } from './setting.ts';

const BOUND = { max: 1_000_000_000 };

/** Limits on visitors of chatbots. */
export const VISITORS = {
  VISITOR_MESSAGES_PER_MINUTE: integer(
    'messages, votes and the like of one visitor; 0 means no limit, here and below',
    {
      fallback: 20,
      ...BOUND,
    },
  ),
  VISITOR_ADDRESS_MESSAGES_PER_MINUTE: integer('the same for all visitors at one address (for IPv6, one /64)', {
    fallback: 120,
    ...BOUND,
  }),
  VISITOR_REQUESTS_PER_MINUTE: integer('all requests of the visitors at one address', { fallback: 600, ...BOUND }),
  VISITOR_MESSAGES_PER_DAY: integer(
    'messages in a day (UTC) to a chatbot that has no `visitor_messages_per_day` of its own',
    { fallback: 5_000, ...BOUND },
  ),
  VISITOR_REPLIES_AT_ONCE: integer(
    'replies in progress to one visitor, at one gateway, with those that wait for them',
    { fallback: 6, ...BOUND },
  ),
  VISITOR_ADDRESS_REPLIES_AT_ONCE: integer(
    'the same for all visitors at one address: half of what one assistant may have',
    { fallback: 25, ...BOUND },
  ),
  VISITOR_CHALLENGE_HEADER: text(
    'a header without which no visitor may send anything: a proxy among `TRUSTED_PROXIES` sets it once a visitor has passed its [challenge](visitors.md#a-challenge)',
  ),
};
