import {
  type Env,
  type ObjectsConfig,
  readMailDomain,
  readObjectsConfig,
  readServiceConfig,
  type ServiceConfig,
} from '@parley/runtime';
import type { Settings } from './store/settings.ts';

export interface ConversationsConfig extends ServiceConfig, Settings {
  /** host:port of the assistants service. */
  assistants: string;
  /** Files that came by mail. */
  objects: ObjectsConfig;
}

const MIB = 1024 * 1024;

export const readConfig = (env: Env): ConversationsConfig => ({
  ...readServiceConfig(env, 'conversations'),
  objects: readObjectsConfig(env),
  mailDomain: readMailDomain(env),
  quietMs: env.get('AI_QUIET_SECONDS') * 1_000,
  limits: {
    chats: env.get('QUOTA_CHATS'),
    tickets: env.get('QUOTA_TICKETS'),
    emails: env.get('QUOTA_EMAILS'),
    mail_bytes: env.get('QUOTA_MAILS_MIB') * MIB,
  },
  assistants: env.get('ASSISTANTS_ADDRESS'),
});
