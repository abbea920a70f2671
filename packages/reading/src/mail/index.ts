export { type ReadAttachment, type ReadMail, readMail } from './read-mail.ts';
