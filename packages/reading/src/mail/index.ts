export { type MailToRead, type ReadAttachment, type ReadMail, readMail } from './read-mail.ts';
export type { Report } from './report.ts';
