import { type Populated, QUESTION } from '../conformance/populated.ts';
import { must } from '../e2e/api.ts';
import { publicApi, visitorOf } from '../e2e/visitor.ts';

/** Ids of existing resources, by the first word of their paths, such as `chatbot`, or the name of their parameter. */
export type Targets = Record<string, string[]>;

/** Names the token of a visitor, which is sent in a header. */
export const TOKEN = 'visitor_token';

/** Refuses connections, so that no training reaches anybody. */
const NOBODY = 'http://127.0.0.1:9/';

export async function targetsOf({ account, ids, chatbot, form, inbox, session }: Populated): Promise<Targets> {
  const website = await account.website(NOBODY);
  const visitor = visitorOf(account.api.baseUrl, chatbot.public_id);
  const { message_id } = await visitor.told(QUESTION);
  const atForm = `/public/v1/ticket-forms/${form.public_id}/tickets`;
  const filled = { body: { email: 'eve@example.com', answers: [] } };
  const api = publicApi(account.api.baseUrl);
  const { token } = must(await api.request<{ token: string }>('POST', atForm, filled));
  return {
    knowledge: [ids.faq, website.id, ids.video, ids.document],
    faq_item_id: [ids.faqItem],
    chatbot: [ids.chatbot, chatbot.public_id],
    chat_id: [ids.chat],
    'ticket-form': [ids.form, form.public_id],
    ticket_id: [ids.ticket],
    'email-inbox': [ids.inbox, inbox.alias],
    email_id: [ids.email],
    persona: [ids.persona],
    'api-key': [ids.apiKey],
    webhook: [ids.webhook],
    delivery_id: [ids.delivery],
    session_id: [session],
    public_id: [chatbot.public_id, form.public_id],
    token: [token],
    message_id: [message_id],
    [TOKEN]: [visitor.token()!],
  };
}

/** Those that a parameter in the path of an operation takes. */
export const targetsFor = (targets: Targets, path: string, parameter: string): string[] =>
  targets[parameter === 'id' ? path.split('/')[1]! : parameter] ?? Object.values(targets).flat();
