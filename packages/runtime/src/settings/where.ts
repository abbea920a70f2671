import { flag, integer, oneOf, required, text } from './setting.ts';

const PORT = { max: 65_535 };

/** Where Parley runs. */
export const WHERE = {
  PORT: integer('the port on which the API listens', { fallback: 8080, shown: '8080', ...PORT }),
  HTTP_TLS_CERT: text(
    'the file of the certificate, in PEM, with which the API listens for HTTPS instead of HTTP; read again when it changes. Not for `npm start`',
    { shown: 'none: HTTP' },
  ),
  HTTP_TLS_KEY: text('the file of its key'),
  HOST: text('the address on which it listens; of a service, that of its RPCs', {
    shown: '`127.0.0.1`; of a process by itself `0.0.0.0`',
  }),
  PUBLIC_URL: text('where clients reach the API, without `/v1`: `upload_url` and `document_url` begin with it', {
    shown: 'the address that the client used',
  }),
  PARLEY_DATA: text("documents, files, the generated secret, the demo's key", { fallback: '.parley' }),
  MONGODB_URI: required(
    'a MongoDB server to use instead of the embedded engine; a process by itself requires it',
    'the embedded engine',
  ),
  DEMO: flag('whether to create the demo account, its chatbot and its site', true),
  DEMO_PORT: integer("the port of the demo's site", { shown: '`PORT` + 1', ...PORT }),
  LOG_LEVEL: oneOf(
    ['debug', 'info', 'warn', 'error', 'silent'],
    'what is logged, on standard error: `debug`, `info`, `warn`, `error` or `silent`',
    {
      fallback: 'info',
      shown: '`error`; of a process by itself `info`',
    },
  ),
  LOG_FORMAT: oneOf(['json', 'text'], '`text` for people, `json` for machines', {
    fallback: 'json',
    shown: '`text`; of a process by itself `json`',
  }),
};
