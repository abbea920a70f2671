import { createHash } from 'node:crypto';
import { connectivityState, experimental } from '@grpc/grpc-js';

/**
 * A load-balancing policy of grpc-js: calls that carry `affinityHeader` go to one of two addresses, always the same for a
 * value as long as both are ready, and to the one of them that has fewer of these calls under way if the first is busy. Others
 * take turns. What a value's server keeps for it is so kept by two, and a server that is added takes only its own share.
 */
export const AFFINITY = 'parley_affinity';

export const affinityHeader = 'parley-affinity';

/** Calls under way at the first choice before the second one helps. */
const BUSY = 8;

const { READY, CONNECTING, IDLE, TRANSIENT_FAILURE } = connectivityState;

class Config implements experimental.TypedLoadBalancingConfig {
  getLoadBalancerName = () => AFFINITY;
  toJsonObject = () => ({ [AFFINITY]: {} });
  static createFromJson = () => new Config();
}

interface Server {
  readonly address: string;
  readonly picker: experimental.Picker;
}

/** By address, calls with affinity that are under way. */
type Load = Map<string, number>;

/** The servers in the order in which they are preferred for a key: by a hash of both, so that no other server matters. */
export function preferred<S extends { readonly address: string }>(key: string, servers: readonly S[]): S[] {
  const weight = ({ address }: S) => createHash('sha1').update(`${key} ${address}`).digest('hex');
  const weighed = servers.map((server) => ({ server, weight: weight(server) }));
  return weighed.sort((a, b) => (a.weight < b.weight ? -1 : 1)).map(({ server }) => server);
}

class AffinityPicker implements experimental.Picker {
  readonly #servers: readonly Server[];
  readonly #load: Load;
  #next = 0;

  constructor(servers: readonly Server[], load: Load) {
    this.#servers = servers;
    this.#load = load;
  }

  pick(args: experimental.PickArgs): experimental.PickResult {
    const [key] = args.metadata.get(affinityHeader);
    if (key === undefined) {
      this.#next = (this.#next + 1) % this.#servers.length;
      return this.#servers[this.#next]!.picker.pick(args);
    }
    const [first, second] = preferred(String(key), this.#servers);
    const load = ({ address }: Server) => this.#load.get(address) ?? 0;
    const { address, picker } = second && load(first!) >= BUSY && load(second) < load(first!) ? second : first!;
    const picked = picker.pick(args);
    const { onCallStarted, onCallEnded } = picked;
    if (picked.pickResultType !== experimental.PickResultType.COMPLETE) return picked;
    const add = (calls: number) => {
      const now = (this.#load.get(address) ?? 0) + calls;
      if (now > 0) this.#load.set(address, now);
      else this.#load.delete(address);
    };
    return {
      ...picked,
      onCallStarted() {
        add(1);
        onCallStarted?.();
      },
      onCallEnded(...status: Parameters<experimental.PickResult['onCallEnded'] & {}>) {
        add(-1);
        onCallEnded?.(...status);
      },
    } as experimental.PickResult;
  }
}

/** Keeps a connection to each address, as grpc-js's own round_robin does. */
class AffinityBalancer implements experimental.LoadBalancer {
  readonly #channel: experimental.ChannelControlHelper;
  readonly #ofChildren: experimental.ChannelControlHelper;
  readonly #load: Load = new Map();
  #children: experimental.LeafLoadBalancer[] = [];
  #wasReady = false;
  #isPaused = false;
  #lastError = '';

  constructor(channel: experimental.ChannelControlHelper) {
    this.#channel = channel;
    this.#ofChildren = experimental.createChildChannelControlHelper(channel, {
      updateState: (state, _picker, error) => {
        if (this.#wasReady && state !== READY) channel.requestReresolution();
        if (error) this.#lastError = error;
        this.#report();
      },
    });
  }

  updateAddressList(...[found, config, options, note]: Parameters<experimental.LoadBalancer['updateAddressList']>) {
    if (!(config instanceof Config)) return false;
    if (!found.ok) {
      if (this.#children.length === 0) this.#fail(found.error.details);
      return true;
    }
    this.#isPaused = true;
    const before = this.#children;
    this.#children = found.value.map(
      (endpoint) => new experimental.LeafLoadBalancer(endpoint, this.#ofChildren, options, note),
    );
    for (const child of this.#children) child.startConnecting();
    for (const child of before) child.destroy();
    this.#isPaused = false;
    if (this.#children.length === 0) this.#fail(`No addresses resolved. ${note}`);
    else this.#report();
    return true;
  }

  #report() {
    if (this.#isPaused) return;
    const are = (state: connectivityState) => this.#children.filter((child) => child.getConnectivityState() === state);
    const servers = are(READY).map((child) => ({
      address: experimental.endpointToString(child.getEndpoint()),
      picker: child.getPicker(),
    }));
    this.#wasReady = servers.length > 0;
    if (servers.length > 0) this.#channel.updateState(READY, new AffinityPicker(servers, this.#load), null);
    else if (are(CONNECTING).length > 0)
      this.#channel.updateState(CONNECTING, new experimental.QueuePicker(this), null);
    else if (are(TRANSIENT_FAILURE).length > 0) this.#fail(`No connection established. ${this.#lastError}`);
    else this.#channel.updateState(IDLE, new experimental.QueuePicker(this), null);
    for (const child of are(IDLE)) child.exitIdle();
  }

  #fail(details: string) {
    this.#channel.updateState(TRANSIENT_FAILURE, new experimental.UnavailablePicker({ details }), details);
  }

  exitIdle() {}
  resetBackoff() {}
  getTypeName = () => AFFINITY;
  destroy() {
    for (const child of this.#children.splice(0)) child.destroy();
  }
}

experimental.registerLoadBalancerType(AFFINITY, AffinityBalancer, Config);
