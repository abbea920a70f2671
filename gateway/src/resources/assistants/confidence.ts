import { Confidence } from '@parley/proto/conversations/v1/conversations_service_pb';
import { enumNames } from '../../fields/enum-names.ts';

const CONFIDENCE = enumNames(Confidence, 'Confidence');

export const confidence = CONFIDENCE.schema.nullable().meta({
  description:
    'How sure the answer is: `high`, `low` (the message says that it is unsure), or null if there is no answer.',
});

export const confidenceJson = (value: Confidence) =>
  value === Confidence.UNSPECIFIED ? null : CONFIDENCE.nameOf(value);
