import {
  AiState,
  type Attachment,
  type Delivery,
  DeliveryState,
  type Message,
  type ReceivedMail,
  Role,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { z } from 'zod';
import { iso, timestamp } from '../../fields/dates.ts';
import { enumNames } from '../../fields/enum-names.ts';

export const AI = enumNames(AiState, 'AiState');
const DELIVERY = enumNames(DeliveryState, 'DeliveryState');

const roleAndText = {
  role: z.enum(['user', 'assistant']).meta({ description: '`user` is the end user, `assistant` the AI or the owner.' }),
  message: z.string(),
};

const EXAMPLE = { role: 'user' as const, message: 'When are you open?' };

/** The messages of a chat, oldest first. */
export const conversation = z.array(z.object(roleAndText).meta({ id: 'Message', examples: [EXAMPLE] }));

export const conversationJson = (messages: readonly Message[]): z.input<typeof conversation> =>
  messages.map(({ role, message }) => ({ role: role === Role.USER ? 'user' : 'assistant', message }));

const extension = (description: string) => ({ description, 'x-parley-extension': true });

const delivery = z
  .object({
    state: DELIVERY.schema,
    reason: z.string().nullable().meta({ description: 'Why it failed, or was postponed.' }),
    at: timestamp,
  })
  .meta({ id: 'Delivery' });

const deliveryJson = ({ state, reason, at }: Delivery): z.input<typeof delivery> => ({
  state: DELIVERY.nameOf(state),
  reason: reason || null,
  at: iso(at!),
});

const attachment = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string().meta({ description: 'A media type, as the sender gave it.' }),
    size: z.int().meta({ description: 'In bytes.' }),
    inline: z.boolean().meta({ description: 'Shown in the message, as an image.' }),
  })
  .meta({ id: 'Attachment' });

const attachmentJson = ({ id, name, type, size, isInline }: Attachment): z.input<typeof attachment> => ({
  ...{ id, name, type, size },
  inline: isInline,
});

const RESULT = 'In the words of RFC 8601, such as `pass`.';

const mail = z
  .object({
    id: z.string().meta({ description: 'The id of the message, with which its raw form is read.' }),
    from_email: z.string(),
    authenticated: z
      .boolean()
      .meta({ description: 'Whether the domain, a trusted relay or a token vouches for the sender.' }),
    automatic: z.boolean().meta({ description: 'Sent by a program: nothing is sent because of it.' }),
    spf: z.string().meta({ description: RESULT }),
    dkim: z.string().meta({ description: RESULT }),
    dmarc: z.string().meta({ description: RESULT }),
    quoted: z.string().nullable().meta({ description: 'What it repeats of earlier messages, and its signature.' }),
    cut: z.boolean().meta({ description: 'The text goes on in the raw message.' }),
    attachments: z.array(attachment),
  })
  .meta({ id: 'ReceivedMail' });

const mailJson = (
  id: string,
  { fromEmail, isCut, quoted, attachments, ...verdicts }: ReceivedMail,
): z.input<typeof mail> => {
  const { authenticated, automatic, spf, dkim, dmarc } = verdicts;
  return {
    id,
    from_email: fromEmail,
    ...{ authenticated, automatic, spf, dkim, dmarc },
    quoted: quoted || null,
    cut: isCut,
    attachments: attachments.map(attachmentJson),
  };
};

/** The messages of a ticket or an email, oldest first. */
export const caseConversation = z.array(
  z
    .object({
      ...roleAndText,
      delivery: delivery.optional().meta(extension('Present on what is sent by mail.')),
      mail: mail.optional().meta(extension('Present on what came by mail.')),
      attachments: z.array(attachment).optional().meta(extension('Present on what came by a form with files.')),
    })
    .meta({ id: 'CaseMessage', examples: [EXAMPLE] }),
);

export const caseConversationJson = (messages: readonly Message[]): z.input<typeof caseConversation> =>
  messages.map((message) => ({
    ...conversationJson([message])[0]!,
    ...(message.delivery && { delivery: deliveryJson(message.delivery) }),
    ...(message.mail && { mail: mailJson(message.id, message.mail) }),
    ...(message.attachments.length > 0 && { attachments: message.attachments.map(attachmentJson) }),
  }));
