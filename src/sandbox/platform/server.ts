import type { AddressInfo } from 'node:net';

import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';

import { createAuth } from './auth.ts';
import {
  createBilling,
  registerBillingControl,
  registerBillingRoutes,
  renderAccountStates,
} from './billing/billing.ts';
import { createLookBack } from './billing/look-back.ts';
import { createSandboxClock, type SandboxClock } from './clock.ts';
import { createDateHeader } from './control-date.ts';
import { registerControl } from './control.ts';
import { answerForWorkloads } from './deployments/front-door.ts';
import { registerDeploymentRoutes } from './deployments/routes.ts';
import { createSimulator } from './deployments/simulator.ts';
import { apiErrorBody, billingErrorBody, SandboxError } from './errors.ts';
import { createFaults } from './faults.ts';
import { createFleet, type FleetOptions } from './fleet/fleet.ts';
import { registerFleetControl, registerFleetRoutes } from './fleet/routes.ts';
import { createInvoices } from './invoices/invoices.ts';
import { registerInvoiceControl, registerInvoiceRoutes } from './invoices/routes.ts';
import { acceptJson } from './json-body.ts';
import { DOLLARS, type Currency, type PricingTags } from './metering/catalogue.ts';
import { registerMeteringControl } from './metering/control.ts';
import { createMetering } from './metering/metering.ts';
import { registerChargeRoutes, registerUsageRoutes } from './metering/routes.ts';
import { createRandom } from '../random.ts';
import { createRequestLog } from './request-log.ts';
import { seedOrgs } from './seed.ts';
import { createStories, registerStoryControl } from './stories/stories.ts';
import { buildValidator } from './validators.ts';

const HOST = '127.0.0.1';
const PAGE_ITEMS = 100;

/** The stand-in of the platform: its APIs on one loopback port, and its controls under `/_sandbox`. */
export interface SandboxPlatform {
  /** `{api_url}`, as `http://127.0.0.1:<port>`; throws before `listen`. */
  readonly url: string;
  /** `{billing_url}` and `{usage_url}`: below the same address, so that they have a path. */
  readonly billingUrl: string;
  readonly usageUrl: string;
  /** Org -> service account key; the same on every run. */
  readonly tokens: Record<string, string>;
  /** Listens on `port`, or on a free one. */
  listen(port?: number): Promise<void>;
  /** Cuts open connections and frees the port. */
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
  /** Adds the org `fleet` for load tests, with the key `sandbox-key-fleet`; absent: nothing is there. */
  readonly fleet?: FleetOptions;
  /** How many tags the catalogue prices on (5): 4, or `gpuModel` too, or `loadBalancerKind` too. */
  readonly pricingTags?: PricingTags;
  /** Of all charges (US dollars). The texts of PDFs and e-mails have a dollar sign in any currency. */
  readonly currency?: Currency;
}

/** Builds the stand-in; nothing listens and no time passes in it before `listen`. */
export function createSandboxPlatform(options: SandboxPlatformOptions = {}): SandboxPlatform {
  const app = Fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // An e-mail address in a path may be this long.
    routerOptions: { maxParamLength: 254 },
    // A path that cannot be decoded reaches none of the routes.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const refusal = { status: error.statusCode ?? 400, message: error.message };
      const isApi = !/^\/(?:billing|usage)\//.test(request.url);
      reply.code(refusal.status);
      reply.send(
        isApi ? apiErrorBody(refusal.status, refusal.message, '') : billingErrorBody(refusal),
      );
    },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    schemaController: { compilersFactory: { buildValidator } },
  });
  const baseUrl = () => `http://${HOST}:${(app.server.address() as AddressInfo).port}`;
  const parts = createParts(options);
  const { auth, clock, faults } = parts;
  answerForWorkloads(app, parts);
  const date = createDateHeader();
  date.install(app);
  registerApis(app, parts, baseUrl);
  app.register(
    async (control) => {
      control.addHook('onRequest', parts.catchUp);
      registerControl(control, parts);
      date.registerControl(control);
      registerStoryControl(control, parts.stories);
      registerInvoiceControl(control, parts.invoices);
      registerMeteringControl(control, parts.metering);
      registerBillingControl(control, parts.billing);
      if (parts.fleet !== undefined) registerFleetControl(control, parts.fleet);
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
      parts.stories.stop();
      faults.stop();
      await app.close();
    },
  };
}

type Parts = ReturnType<typeof createParts>;

/** All that the routes work on. */
function createParts(options: SandboxPlatformOptions) {
  const { currency = DOLLARS, fleet, now, seed = 1, speed = 1, pricingTags = 5 } = options;
  const clock = createSandboxClock(now);
  const random = createRandom(seed);
  const orgs = seedOrgs(clock.now());
  const simulator = createSimulator({ orgs, clock, speed });
  const auth = createAuth([...orgs.keys(), ...(fleet === undefined ? [] : ['fleet'])]);
  const lookBack = createLookBack(clock);
  const metering = createMetering({ orgs, clock: lookBack, pricingTags, currency });
  const { books } = metering;
  const billing = createBilling({
    orgs,
    auth,
    books,
    clock: lookBack,
    // A sequence of its own, so that calls of billing do not change the noise of deployments.
    random: createRandom(seed + 1),
  });
  // And one of its own again: faults by chance strike the same calls on every run.
  const faults = createFaults({ clock, random: createRandom(seed + 2) });
  const { mailbox, credentials } = billing;
  const accounts = () => billing.accounts();
  const invoices = createInvoices({ accounts, books, clock, mailbox });
  const callerOf = (header: string | undefined) => credentials.callerOf(header);

  return {
    clock,
    random,
    simulator,
    fleet: fleet && createFleet(fleet, clock),
    auth,
    metering,
    billing,
    invoices,
    faults,
    // A third one, for who answers at the front door.
    turns: createRandom(seed + 3),
    stories: createStories({ simulator, faults, speed }),
    log: createRequestLog({ clock, auth, callerOf }),
    paging: { size: PAGE_ITEMS },
    /** Every route of the APIs, as `METHOD /path`. */
    routes: [] as string[],
    accountStates: () => renderAccountStates(billing),
    /** Does what fell due in billing since the last call. */
    catchUp: async () => {
      billing.catchUp();
      invoices.catchUp();
    },
  };
}

/** The three APIs, each with its own address and shape of refusals. */
function registerApis(app: FastifyInstance, parts: Parts, baseUrl: () => string): void {
  const { auth, billing, faults, invoices, log, metering, random, routes } = parts;
  const { guard } = billing;

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
    registerDeploymentRoutes(api, { ...parts, baseUrl });
    if (parts.fleet !== undefined) registerFleetRoutes(api, { ...parts, fleet: parts.fleet });
  });
  app.register(
    async (api) => {
      install(api, billingErrorBody);
      acceptJson(api, () => undefined);
      api.addHook('onRequest', parts.catchUp);
      registerChargeRoutes(api, { metering, guard });
      registerInvoiceRoutes(api, { invoices, guard });
      registerBillingRoutes(api, billing);
    },
    { prefix: '/billing' },
  );
  app.register(
    async (api) => {
      install(api, billingErrorBody);
      acceptJson(api, () => undefined);
      registerUsageRoutes(api, { metering, guard });
    },
    { prefix: '/usage' },
  );
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
