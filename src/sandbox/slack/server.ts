import fastify, { type FastifyInstance } from 'fastify';
import type { Clock } from './ids.ts';
import { readManifest } from './manifest.ts';
import { registerApi } from './routes/api.ts';
import { registerAssets, registerPlatformProxy, type PageAssets } from './routes/assets.ts';
import { registerControl } from './routes/control.ts';
import { registerDemo, type DemoControls } from './routes/demo.ts';
import { answerRefusals, registerPage } from './routes/page.ts';
import { createDispatcher } from './web-api/dispatch.ts';
import { createFaults } from './web-api/faults.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const BODY_LIMIT = 32 * 1024 * 1024;

export interface SandboxSlack {
  /** Without a slash at the end: the page is at `${url}/`, the Web API at `${url}/api/`. */
  readonly url: string;
  /** On 127.0.0.1; without a port on any free one. Throws when the manifest cannot be read. */
  listen(port?: number): Promise<void>;
  close(): Promise<void>;
  /** Where signed requests go from now on. */
  setRequestUrl(url: string): void;
}

export interface SandboxSlackOptions {
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  /** Where commands, interactions and events go while no Socket Mode connection is open. */
  readonly requestUrl?: string;
  /** The app's manifest.yml: its commands, scopes and events. */
  readonly manifestPath: string;
  /** Base of the stand-in platform, for the page's panel. */
  readonly platformUrl?: string;
  /** The built page, served at `/`, `/page.js` and `/page.css`. */
  readonly pageScript?: () => Promise<PageAssets>;
  readonly clock?: Clock;
  /** The processes that the page can restart; absent: none. */
  readonly demo?: DemoControls;
}

/** A stand-in Slack workspace: Web API, signed requests, Socket Mode and the page of its people. */
export function createSandboxSlack(options: SandboxSlackOptions): SandboxSlack {
  const { clock = { now: () => Date.now() } } = options;
  let { requestUrl } = options;
  let url = '';
  let running: { server: FastifyInstance; workspace: Workspace } | undefined;

  return {
    get url() {
      return url;
    },
    async listen(port = 0) {
      const manifest = await readManifest(options.manifestPath);
      const workspace = createWorkspace({
        clock,
        manifest,
        signingSecret: options.signingSecret,
        requestUrl,
        baseUrl: () => url,
      });
      const server = createServer(options, workspace);
      url = await server.listen({ host: '127.0.0.1', port });
      running = { server, workspace };
    },
    async close() {
      running?.workspace.delivery.close();
      running?.workspace.socketMode.close();
      await running?.server.close();
      running = undefined;
    },
    setRequestUrl(next) {
      requestUrl = next;
      running?.workspace.delivery.setRequestUrl(next);
    },
  };
}

function createServer(options: SandboxSlackOptions, workspace: Workspace): FastifyInstance {
  const { botToken, appToken, platformUrl, pageScript, demo } = options;
  const faults = createFaults();
  const dispatcher = createDispatcher({ workspace, faults, botToken, appToken });
  const server = fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  answerRefusals(server);
  registerApi(server, { workspace, dispatcher, botToken });
  registerControl(server, { workspace, dispatcher, faults });
  registerPage(server, { workspace, hasPlatform: platformUrl !== undefined, demo });
  if (demo) registerDemo(server, demo);
  registerAssets(server, pageScript);
  if (platformUrl) registerPlatformProxy(server, platformUrl);
  server.server.on('upgrade', (request, socket, head) =>
    workspace.socketMode.upgrade(request, socket, head),
  );
  return server;
}
