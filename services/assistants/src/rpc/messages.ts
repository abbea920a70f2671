import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AssistantKind, type ChatbotSchema } from '@parley/proto/assistants/v1/assistants_service_pb';
import { invalidArgument } from '@parley/runtime';
import type { AssistantDoc, Kind } from '../store/assistants.ts';

export function kindOf(kind: AssistantKind): Kind {
  if (kind !== AssistantKind.CHATBOT) throw invalidArgument('kind must be chatbot.');
  return 'chatbot';
}

export const chatbotMessage = (chatbot: AssistantDoc): MessageInitShape<typeof ChatbotSchema> => ({
  id: chatbot._id,
  publicId: chatbot.public_id,
  title: chatbot.title,
  allowedDomains: chatbot.allowed_domains,
  createdAt: timestampFromDate(chatbot.created_at),
});
