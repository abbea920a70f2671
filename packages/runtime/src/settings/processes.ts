import { address, addresses, flag, integer, oneOf, required, secret, secrets, text } from './setting.ts';

const PORT = { max: 65_535 };
const TLS_MODES = ['allow', 'prefer', 'require'] as const;
const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const SECONDS = { min: 1, max: 600 };

/** Settings of each process that runs by itself. */
export const PROCESSES = {
  PARLEY_SECRET: secret(
    'the generated secret, of at least 32 characters, that all keys are derived from; the same for all processes',
    32,
    'required, but for the trainer',
  ),
  MONGODB_TLS_CERT: text(
    "the file, in PEM, of the certificate that processes show to MongoDB, with `MONGODB_TLS_KEY`; read at start. MongoDB's own must be of a public CA, of one in `NODE_EXTRA_CA_CERTS` or of the address's `tlsCAFile`",
  ),
  MONGODB_TLS_KEY: text('the file, in PEM, of its private key'),
  PARLEY_SECRET_NEXT: secrets(
    'the one that is about to replace it ([Rotate secrets](operations.md#rotate-secrets)): accepted, but not used yet',
    32,
  ),
  PARLEY_SECRET_PREVIOUS: secrets('those that it has replaced, one a line: still accepted, but not used any more', 32),
  PARLEY_KEY_PEPPER: secret(
    'a secret that never changes, for what others keep for good: API keys, and the identity secrets of chatbots',
    32,
    '`PARLEY_SECRET`',
  ),
  MONGODB_DATABASE_PREFIX: text('databases are named `<prefix>_<service>`', { fallback: 'parley' }),
  KAFKA_BROKERS: addresses(
    'brokers of the bus, as `host:port` separated by commas; without them, the bus is in MongoDB',
  ),
  KAFKA_TLS: flag(
    'encrypt the connections to the brokers, whose certificates must be of a public CA or of one in `NODE_EXTRA_CA_CERTS`',
    false,
  ),
  KAFKA_SASL: oneOf(SASL_MECHANISMS, 'how to sign in to the brokers; only over TLS, unless they are on this machine'),
  KAFKA_USERNAME: required('the user name there', 'required with `KAFKA_SASL`'),
  KAFKA_PASSWORD: secret('the password', 1, 'required with `KAFKA_SASL`'),
  BUS_PREFIX: text('prefix of topic and consumer group names; installations that share a Kafka each need their own'),
  MINIO_ENDPOINT: text('an S3-compatible server for files, as `http://host:port` or `https://host:port`'),
  MINIO_CREDENTIALS: oneOf(
    ['keys', 'role'],
    'what requests to it are signed with: `keys`, which are the next two settings, or `role`: temporary keys of the role that the process has on AWS, by web identity (`AWS_WEB_IDENTITY_TOKEN_FILE` and `AWS_ROLE_ARN`), EKS Pod Identity, ECS or the instance (IMDSv2)',
    { fallback: 'keys' },
  ),
  MINIO_ACCESS_KEY: secret('its access key', 3, 'required with `MINIO_ENDPOINT`, but for a role'),
  MINIO_SECRET_KEY: secret('its secret key', 8, 'required with `MINIO_ENDPOINT`, but for a role'),
  MINIO_AWAIT_RIGHTS: flag(
    'wait until it knows these keys and allows them the bucket, instead of refusing to start; the chart sets it for its own',
    false,
  ),
  MINIO_BUCKET: text('its bucket, created if it does not exist', { fallback: 'parley' }),
  MINIO_REGION: text('its region', { fallback: 'us-east-1' }),
  OBJECTS_DIR: required('a directory for files, shared by all processes', 'required without `MINIO_ENDPOINT`'),
  AUTH_ADDRESS: address('where the auth service is reached, by those that call it: `host:port`'),
  KNOWLEDGE_ADDRESS: address('the same for the knowledge service'),
  ASSISTANTS_ADDRESS: address(
    'the same for the assistants service; the conversations service asks it before it deletes anything',
  ),
  CONVERSATIONS_ADDRESS: address('the same for the conversations service'),
  EVENTS_ADDRESS: address('the same for the events service'),
  RPC_TLS_DIR: text(
    'a directory with `tls.crt`, `tls.key` and `ca.crt`, in PEM: RPCs then travel over TLS, and both sides show a certificate of a CA in `ca.crt`; read again when they change. Not for `npm start`, whose RPCs stay in the process',
    { shown: 'none: plaintext' },
  ),
  RPC_TLS_MODE: oneOf(
    TLS_MODES,
    'who speaks TLS then: `allow`: servers accept plaintext, too, and clients speak it; `prefer`: clients speak TLS; `require`: servers refuse plaintext ([how to change it](kubernetes.md#tls-between-pods))',
    { fallback: 'require' },
  ),
  RPC_TLS_NAME: text(
    'the name by which others call the process; one whose certificate is for other names is not ready',
    {
      shown: 'not checked',
    },
  ),
  RPC_PORT: integer('where a service listens for RPCs', { fallback: 0, shown: 'any free port', ...PORT }),
  OPS_PORT: integer('the operations port: `/healthz`, `/readyz` and `/metrics`; of `npm start`, only on this machine', {
    fallback: 0,
    shown: 'none',
    ...PORT,
  }),
  PARLEY_COMMIT: text('the commit that the image was built from, for `parley_build_info`; images contain it', {
    fallback: 'unknown',
  }),
  REQUEST_TIMEOUT_SECONDS: integer('how long a client waits for an answer', { fallback: 10, ...SECONDS }),
  REPLY_TIMEOUT_SECONDS: integer(
    "how long a client waits for an assistant's reply; the same for the gateway and the assistants service",
    { fallback: 75, ...SECONDS },
  ),
  GRACE_SECONDS: integer('how long work in progress may take once a process is asked to stop', {
    fallback: 15,
    max: 600,
  }),
  LINGER_SECONDS: integer('how long the gateway goes on serving before that', { fallback: 0, max: 60 }),
  EMBEDDING_MODEL_DIR: text(
    'the directory of the local embedding model, as sentence-transformers writes it, with ONNX; images contain one',
  ),
  EMBEDDING_MULTILINGUAL_DIR: text('the directory of the multilingual one; images contain it'),
  WIDGET_FILE: text(
    "the bundled chat widget, which the gateway's image contains; without it, the gateway bundles the sources when the widget is first asked for",
  ),
  FIRST_ACCOUNT_KEY: text(
    'the key of the account that the auth service creates at its first start; without one, it creates none',
  ),
  FIRST_ACCOUNT_NAME: text('the name of that account', { fallback: 'First account' }),
};
