/**
 * Checks one running system against all tables of the contract: a new one in this process, the stack that PARLEY_STACK
 * describes, or the deployment that GATEWAY_URL names.
 */
import './foreign-ids.ts';
import './refusals.ts';
import './order.ts';
import './lists.ts';
import './bodies.ts';
import './fields.ts';
import './knowledge.ts';
import './websites.ts';
import './videos.ts';
import './documents.ts';
import './faqs.ts';
import './chatbots.ts';
import './streams.ts';
import './visitors.ts';
import './visitor-chats.ts';
import './public-forms.ts';
import './attached-knowledge.ts';
import './ticket-forms.ts';
import './tickets.ts';
import './email-inboxes.ts';
import './answer-settings.ts';
import './emails.ts';
import './drafts.ts';
import './personas.ts';
import './api-keys.ts';
import './restricted-keys.ts';
import './webhooks.ts';
import './usage.ts';
import './events.ts';
import './me.ts';
import './idempotency.ts';
import './protocol.ts';
import './described.ts';
import './tour.ts';
