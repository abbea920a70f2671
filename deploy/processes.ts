/** A process, for everything that builds, starts or deploys one. */
interface ProcessFacts {
  /** Full name of its gRPC service, if it serves one. */
  rpc?: string;
  /** The processes whose RPCs it calls. It finds each at `<NAME>_ADDRESS`. */
  calls: readonly string[];
  /** The processes that it asks in the background, found likewise. It does not wait for them to start. */
  asks?: readonly string[];
  /** The processes that the operator's program in its image calls, found likewise. It does not wait for them to start. */
  operates?: readonly string[];
  /** It only runs where this variable is set. */
  needs?: string;
  /** Its image includes the embedding model. */
  model?: true;
}

/**
 * Every process of Parley, in starting order: each comes after those it calls. Images, the embedded system, the stack and the
 * tests are derived from this table; tests compare the chart, the Dockerfile and skaffold.yaml with it. The images are
 * selected with plain Node before anything is installed, so this file imports nothing.
 */
export const PROCESSES = {
  auth: {
    rpc: 'parley.auth.v1.AuthService',
    calls: [],
    operates: ['assistants', 'conversations', 'knowledge', 'events'],
  },
  knowledge: { rpc: 'parley.knowledge.v1.KnowledgeService', calls: [], model: true },
  conversations: { rpc: 'parley.conversations.v1.ConversationsService', calls: [], asks: ['assistants'] },
  assistants: { rpc: 'parley.assistants.v1.AssistantsService', calls: ['knowledge', 'conversations'] },
  events: { rpc: 'parley.events.v1.EventsService', calls: [] },
  trainer: { calls: [], model: true },
  gateway: { calls: ['auth', 'knowledge', 'assistants', 'conversations', 'events'] },
  mail: { calls: ['assistants', 'conversations'], needs: 'MAIL_DOMAIN' },
} as const satisfies Record<string, ProcessFacts>;

export type ProcessName = keyof typeof PROCESSES;

/** A process that serves RPCs. */
export type RpcName = {
  [N in ProcessName]: (typeof PROCESSES)[N] extends { rpc: string } ? N : never;
}[ProcessName];

export const PROCESS_NAMES = Object.keys(PROCESSES) as ProcessName[];
export const RPC_NAMES = PROCESS_NAMES.filter((name): name is RpcName => 'rpc' in PROCESSES[name]);

/** The facts without their literal types, for code that treats all processes alike. */
export const factsOf = (name: ProcessName): ProcessFacts => PROCESSES[name];

/** The workspace of a process, relative to the repository. */
export const folderOf = (name: string): string => (name === 'gateway' ? name : `services/${name}`);

/** The variable that tells a process where to find this one. */
export const addressVariable = (name: RpcName): string => `${name.toUpperCase()}_ADDRESS`;

/** One value for each process that serves RPCs. */
export const forEachRpc = <T>(make: (name: RpcName) => T): Record<RpcName, T> =>
  Object.fromEntries(RPC_NAMES.map((name) => [name, make(name)])) as Record<RpcName, T>;
