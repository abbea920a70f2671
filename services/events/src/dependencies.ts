import type { Metrics, Notifier } from '@parley/runtime';
import type { Bus } from '@parley/runtime/bus';
import type { AccountEraser } from '@parley/runtime/mongo';
import type { AllowList } from '@parley/runtime/outbound';
import type { Timing } from './domain/progress.ts';
import type { Backlog } from './store/backlog.ts';
import type { DeliveryStore } from './store/deliveries.ts';
import type { EventStore } from './store/events.ts';
import type { WebhookStore, WebhookUsage } from './store/webhooks.ts';
import type { Announce } from './webhooks/announce.ts';
import type { DeliverNow } from './webhooks/deliver-now.ts';
import type { Secrets } from './webhooks/secrets.ts';

/** The parts of the events service. Tests and the embedded mode can replace each. */
export interface Dependencies {
  metrics: Metrics;
  bus: Bus;
  events: EventStore;
  /** By account: there are events that this process has added. */
  notifier: Notifier;
  eraser: AccountEraser;
  webhooks: WebhookStore;
  webhookUsage: WebhookUsage;
  deliveries: DeliveryStore;
  backlog: Backlog;
  secrets: Secrets;
  /** Private addresses that webhooks may be sent to. */
  outboundAllow: AllowList;
  /** When failed deliveries are tried again. */
  timing: Timing;
  announce: Announce;
  deliverNow: DeliverNow;
}
