/** Parses mail in a reader process, which can be killed. */
export const JOBS = {
  mail: async () => (await import('@parley/reading/mail')).readMail,
  sender: async () => (await import('./authenticate.ts')).authenticateMail,
};
