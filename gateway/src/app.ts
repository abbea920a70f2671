import { createTicketTokens, type Log, type Metrics } from '@parley/runtime';
import type { ObjectStore } from '@parley/runtime/objects';
import Koa from 'koa';
import type { Db } from 'mongodb';
import type { GatewayConfig } from './config.ts';
import { admit } from './http/admit.ts';
import { answer } from './http/answer.ts';
import { authentication } from './http/authentication.ts';
import { baseUrl } from './http/base-url.ts';
import { body } from './http/body.ts';
import type { BodyBudget } from './http/body-budget.ts';
import { clientAddress } from './http/client-address.ts';
import { errors } from './http/errors.ts';
import { events } from './http/events.ts';
import { createFailureLimit } from './http/failure-limit.ts';
import { find } from './http/find.ts';
import { createFormBodies } from './http/form-body.ts';
import { frontPage } from './http/front-page.ts';
import { idempotency } from './http/idempotency.ts';
import { createKeyCache } from './http/key-cache.ts';
import { rateLimit } from './http/rate-limit.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { renewReplayed } from './http/renew-replayed.ts';
import { requestId } from './http/request-id.ts';
import { scope } from './http/scope.ts';
import { createSlowLane } from './http/slow-lane.ts';
import type { State } from './http/state.ts';
import { telemetry } from './http/telemetry.ts';
import { createUploadAddresses } from './http/upload-address.ts';
import { createUploads } from './http/uploads.ts';
import { openFiles } from './open-files.ts';
import { describeApi } from './openapi/describe-api.ts';
import { createFinders } from './public/finders.ts';
import { createVisitorLimits } from './public/visitor-limits.ts';
import { createVisitorTokens } from './public/visitor-tokens.ts';
import { visitors } from './public/visitors.ts';
import { describedRoutes, publicRoutes, routes } from './resources/index.ts';
import { PUBLIC_PREFIX } from './route.ts';
import type { Services } from './services.ts';
import { idempotencyStore } from './store/idempotency-store.ts';
import { rateLimitStore } from './store/rate-limit-store.ts';

export interface AppDependencies {
  config: GatewayConfig;
  log: Log;
  metrics: Metrics;
  budget: BodyBudget;
  db: Db;
  objects: ObjectStore;
  services: Services;
  unready(): Promise<string[]>;
  leaving(): boolean;
}

/** The path of a request, top to bottom; the order of the checks is part of the API. */
export function createApp({
  config,
  log,
  metrics,
  budget,
  db,
  objects,
  services,
  unready,
  leaving,
}: AppDependencies): Koa<State> {
  const { secret, limits } = config;
  let described: string | undefined;
  // When it is first asked for: it costs more than all else at startup.
  const description = () => {
    described ??= JSON.stringify(describeApi(describedRoutes, config.publicUrl));
    return described;
  };
  const keys = createKeyCache({ auth: services.auth, secret, log });
  const failures = createFailureLimit({ perMinute: limits.authFailuresPerMinute });
  const addressOf = clientAddress(config.trustedProxies);
  const addresses = createUploadAddresses(secret);
  const baseUrlOf = baseUrl(config.publicUrl, config.trustedProxies);
  const uploads = createUploads(objects, limits);
  const forms = createFormBodies(objects, limits, log);
  const limiter = createRateLimiter({ store: rateLimitStore(db), log });
  const tokens = createVisitorTokens(secret);
  const visitorLimits = createVisitorLimits(limiter, limits);
  const { challengeHeader, trustedProxies } = config;
  const ticketTokens = createTicketTokens(secret);
  const finders = createFinders({ services, secret, limits, log, ticketTokens });
  const visiting = visitors({
    ...{ ...finders, limits, tokens, visitorLimits },
    ...{ challengeHeader, trustedProxies, addressOf, baseUrlOf },
  });

  const app = new Koa<State>();
  // Errors that escape every middleware, such as a response that could not be written.
  app.on('error', (error) => log.warn({ err: error }, 'response failed'));
  return app
    .use(requestId())
    .use(
      find({
        '/v1': routes,
        [PUBLIC_PREFIX]: publicRoutes,
        '': openFiles({ description, unready, ...finders, config, log }),
      }),
    )
    .use(telemetry({ log, metrics }))
    .use(events({ heartbeatMs: limits.heartbeatMs, pauseMs: limits.bodyMs }))
    .use(errors({ log }))
    .use(frontPage('/docs'))
    .use(authentication({ keys, failures, slowLane: createSlowLane(), addressOf, addresses }))
    .use(visiting.arrive)
    .use(rateLimit(limiter, limits))
    .use(admit())
    .use(scope())
    .use(visiting.enter)
    .use(body({ timeoutMs: limits.bodyMs, budget, uploads, forms, folderFor: finders.folderFor, addressOf }))
    .use(visiting.stay)
    .use(renewReplayed({ addresses, baseUrlOf }))
    .use(idempotency({ answers: idempotencyStore(db, secret), secret, log }))
    .use(
      answer({
        ...{ services, secret, limits, log, objects, addresses, baseUrlOf, addressOf },
        ...{ tokens, ticketTokens, visitorLimits, leaving },
      }),
    );
}
