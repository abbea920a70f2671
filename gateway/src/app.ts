import type { Log, Metrics } from '@parley/runtime';
import { answerTo } from '@parley/runtime';
import Koa from 'koa';
import type { Db } from 'mongodb';
import type { GatewayConfig } from './config.ts';
import { docsPages } from './docs.ts';
import { admit } from './http/admit.ts';
import { answer } from './http/answer.ts';
import { authentication } from './http/authentication.ts';
import { body } from './http/body.ts';
import { errors } from './http/errors.ts';
import { find } from './http/find.ts';
import { idempotency } from './http/idempotency.ts';
import { createKeyCache } from './http/key-cache.ts';
import { openPages } from './http/open-pages.ts';
import { rateLimit } from './http/rate-limit.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { requestId } from './http/request-id.ts';
import { scope } from './http/scope.ts';
import type { State } from './http/state.ts';
import { telemetry } from './http/telemetry.ts';
import { describeApi } from './openapi.ts';
import { routes } from './routes/index.ts';
import type { Services } from './services.ts';
import { keptAnswers } from './store/kept-answers.ts';
import { rateLimitStore } from './store/rate-limit-store.ts';

export interface AppParts {
  config: GatewayConfig;
  log: Log;
  metrics: Metrics;
  db: Db;
  services: Services;
  unready(): Promise<string[]>;
}

/** The way of a request, top to bottom; the order of the checks is part of the API. */
export function createApp({ config, log, metrics, db, services, unready }: AppParts): Koa<State> {
  const { secret, limits } = config;
  const ops = (path: string) => answerTo(path, { metrics, unready });
  const description = JSON.stringify(describeApi(routes, config.publicUrl));
  const limiter = createRateLimiter({ store: rateLimitStore(db), perMinute: limits.requestsPerMinute, log });

  const app = new Koa<State>();
  // What escapes every middleware: an answer that could not be written.
  app.on('error', (error) => log.warn({ err: error }, 'answering failed'));
  return app
    .use(requestId())
    .use(find(routes))
    .use(telemetry({ log, metrics }))
    .use(errors({ log }))
    .use(
      openPages({
        '/healthz': ops,
        '/readyz': ops,
        '/metrics': ops,
        '/v1/openapi.json': async () => ({ status: 200, contentType: 'application/json', text: description }),
        ...docsPages(),
      }),
    )
    .use(authentication(createKeyCache({ auth: services.auth, secret, log })))
    .use(rateLimit(limiter))
    .use(admit())
    .use(scope())
    .use(body({ timeoutMs: limits.bodyMs }))
    .use(idempotency({ answers: keptAnswers(db, secret), secret, log }))
    .use(answer({ services, secret, limits, log }));
}
