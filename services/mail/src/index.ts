export { type MailConfig, readConfig } from './config.ts';
export { createMail, type MailProcess } from './create.ts';
