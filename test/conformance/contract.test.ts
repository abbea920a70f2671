/** The tables of the contract, all held against one running system. */
import './refusals.ts';
import './order.ts';
import './bodies.ts';
import './shapes.ts';
import './lists.ts';
import './idempotency.ts';
import './protocol.ts';
