import { VoteKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { enumNames } from '../../fields/enum-names.ts';

export const VOTE = enumNames(VoteKind, 'VoteKind');
