/** The keys that sign requests. */
export interface S3Keys {
  accessKey: string;
  secretKey: string;
  /** Only temporary keys have one. */
  sessionToken?: string;
}

const STS = { maxAttempts: 2, requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000 } };
/** Bounds requests to the service on this machine that hands out keys. */
const REMOTE = { timeout: 3_000, maxRetries: 2 };

/**
 * Temporary keys of the role that the process has, found as AWS's own libraries find them: by web identity, from the
 * container's credentials service (EKS Pod Identity, ECS) or as the role of the instance (IMDSv2). The addresses come from
 * the operator's environment, so the guard of outbound requests has no say here. They are renewed in the background from five
 * minutes before they expire; a renewal that fails is repeated with the next request, while the present ones hold.
 */
export function temporaryKeys(region: string): () => Promise<S3Keys> {
  let find: Promise<() => Promise<{ accessKeyId: string; secretAccessKey: string; sessionToken?: string }>> | undefined;
  async function provider() {
    // Loaded lazily: slow, and unused with keys of one's own.
    const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
    return defaultProvider({ ...REMOTE, clientConfig: { region, ...STS } });
  }
  return async () => {
    find ??= provider();
    const { accessKeyId, secretAccessKey, sessionToken } = await (await find)();
    return { accessKey: accessKeyId, secretKey: secretAccessKey, ...(sessionToken && { sessionToken }) };
  };
}
