import type { AddressInfo } from 'node:net';

import Fastify from 'fastify';
import type { FastifyError, FastifyInstance } from 'fastify';

import { createAuth } from './auth.ts';
import { createBilling, registerBillingControl, registerBillingRoutes } from './billing/billing.ts';
import { createSandboxClock } from './clock.ts';
import type { SandboxClock } from './clock.ts';
import { registerControl } from './control.ts';
import { registerDeploymentRoutes } from './deployments/routes.ts';
import { createSimulator } from './deployments/simulator.ts';
import { apiErrorBody, billingErrorBody, SandboxError } from './errors.ts';
import { createFaults } from './faults.ts';
import { createInvoices } from './invoices/invoices.ts';
import { registerInvoiceControl, registerInvoiceRoutes } from './invoices/routes.ts';
import { createMetering } from './metering/metering.ts';
import { registerChargeRoutes, registerUsageRoutes } from './metering/routes.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { createRequestLog } from './request-log.ts';
import { seedOrgs } from './seed.ts';

const HOST = '127.0.0.1';
const PAGE_ITEMS = 100;

/** The stand-in of the platform: its APIs on one loopback port, and its controls under `/_sandbox`. */
export interface SandboxPlatform {
  /** `{api_url}`, as `http://127.0.0.1:<port>`; throws before `listen`. */
  readonly url: string;
  /** `{billing_url}` and `{usage_url}`: below the same address, so that a path is part of them. */
  readonly billingUrl: string;
  readonly usageUrl: string;
  /** Org -> service account key; the same on every run. */
  readonly tokens: Record<string, string>;
  /** Listens on `port`, or on a free one. */
  listen(port?: number): Promise<void>;
  /** Cuts what is open and frees the port. */
  close(): Promise<void>;
  readonly clock: SandboxClock;
}

export interface SandboxPlatformOptions {
  /** How much faster than real time rollouts run (1). */
  readonly speed?: number;
  /** Seeds ids and noise (1); the orgs are always the same. */
  readonly seed?: number;
  /** Real time in ms since the epoch; the clock adds what it was moved by. */
  readonly now?: () => number;
}

/** Builds the stand-in; nothing listens and no time passes in it before `listen`. */
export function createSandboxPlatform(options: SandboxPlatformOptions = {}): SandboxPlatform {
  const clock = createSandboxClock(options.now);
  const random = createRandom(options.seed ?? 1);
  const orgs = seedOrgs(clock.now());
  const simulator = createSimulator({ orgs, clock, speed: options.speed ?? 1 });
  const auth = createAuth(orgs);
  const metering = createMetering({ orgs, clock });
  const { books } = metering;
  const billing = createBilling({ orgs, books, clock, random });
  const { accounts, guard, mailbox } = billing;
  const invoices = createInvoices({ accounts, books, clock, mailbox });
  const faults = createFaults();
  const log = createRequestLog({ clock, auth });
  const paging = { size: PAGE_ITEMS };
  const routes: string[] = [];
  const app = Fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  });
  const baseUrl = () => `http://${HOST}:${(app.server.address() as AddressInfo).port}`;

  const install = (api: FastifyInstance, shape: ErrorShape) => {
    api.addHook('onRoute', ({ method, url }) => {
      routes.push(`${String(method)} ${url}`);
    });
    log.install(api);
    faults.install(api);
    answerErrors(api, shape);
  };

  app.register(async (api) => {
    install(api, ({ status, message }) => apiErrorBody(status, message, random.hex(12)));
    api.addHook<{ Params: { org?: string } }>('onRequest', async ({ headers, params }) => {
      auth.check(headers.authorization, params.org);
    });
    registerDeploymentRoutes(api, { simulator, random, paging, baseUrl });
  });
  app.register(
    async (api) => {
      install(api, billingErrorBody);
      api.addHook('onRequest', async () => {
        billing.catchUp();
        invoices.catchUp();
      });
      registerChargeRoutes(api, { metering, guard });
      registerInvoiceRoutes(api, { invoices, guard });
      registerBillingRoutes(api, billing);
    },
    { prefix: '/billing' },
  );
  app.register(
    async (api) => {
      install(api, billingErrorBody);
      registerUsageRoutes(api, { metering, guard });
    },
    { prefix: '/usage' },
  );
  app.register(
    async (control) => {
      registerControl(control, { clock, simulator, faults, log, paging, routes });
      registerInvoiceControl(control, invoices);
      registerBillingControl(control, billing);
    },
    { prefix: '/_sandbox' },
  );

  return {
    get url() {
      if (!app.server.listening) throw new Error('the sandbox platform does not listen yet');
      return baseUrl();
    },
    get billingUrl() {
      return `${this.url}/billing`;
    },
    get usageUrl() {
      return `${this.url}/usage`;
    },
    tokens: auth.tokens,
    clock,
    async listen(port = 0) {
      await app.listen({ host: HOST, port });
    },
    async close() {
      faults.stop();
      await app.close();
    },
  };
}

type ErrorShape = (error: { status: number; message: string; details?: object }) => object;

/** Every refusal of an API in the API's own shape (spec section 7, platform notes). */
function answerErrors(api: FastifyInstance, shape: ErrorShape): void {
  api.setErrorHandler<FastifyError>(async (error, _request, reply) => {
    const isOurs = error instanceof SandboxError;
    const status = isOurs ? error.status : (error.statusCode ?? 500);
    reply.code(status);
    if (isOurs && error.plain) return reply.type('text/plain; charset=utf-8').send(error.message);
    const { message } = error;
    return reply
      .type('application/json; charset=utf-8')
      .send(shape({ status, message, ...(isOurs ? { details: error.details } : {}) }));
  });
  api.setNotFoundHandler(async (request) => {
    throw new SandboxError(404, `there is no ${request.method} ${request.url} here`);
  });
}
