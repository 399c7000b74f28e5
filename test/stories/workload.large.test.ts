import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { fill, openBy, openForm, submit, valueOf } from '../support/changes-page.ts';
import { press, recordsOf, type Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';
import { copyable, findingsOf, linesOf, pick } from '../support/workload-page.ts';

/** Three mistakes: a port of an authorization without its address, a deprecated tag, a timeout too long. */
const WRONG = `kind: workload
name: cart
tags:
  svc/externalAuthPort: "443"
  svc/protocol: http2
spec:
  type: serverless
  containers:
    - name: cart
      image: //image/cart:1
      ports: [{number: 8080}]
  defaultOptions:
    timeoutSeconds: 900
    suspend: true
  firewallConfig: {external: {inboundAllowCIDR: [0.0.0.0/0]}}
  extras: {tolerations: []}
`;
const MENDED = `kind: workload
name: cart
tags:
  svc/externalAuthAddress: auth.example.com
  svc/externalAuthFailureAllow: "false"
  svc/externalAuthPort: "443"
spec:
  type: serverless
  containers:
    - name: cart
      image: //image/cart:1
      ports: [{number: 8080}]
  defaultOptions:
    timeoutSeconds: 600
  firewallConfig: {external: {inboundAllowCIDR: [0.0.0.0/0]}}
`;
/** As a catalogue of charts has it, with the tags of its tools. */
const CHART = `kind: workload
name: postgres
tags:
  svc/marketplace-template: postgres
  svc/checksum: 5b1c9f0a
  svc/protected: "true"
  svc/protect-volumes: "true"
spec:
  type: cron
  containers:
    - name: postgres
      image: postgres:17.4
      cpu: 500m
  job:
    schedule: 0 3 * * *
  localOptions: []
  defaultOptions:
    timeoutSeconds: 3600
    suspend: false
`;
const BROKEN = 'kind: workload\nspec:\n  defaultOptions: {\n  rolloutOptions: ]\n';
const FINDINGS = {
  Errors: [
    expect.stringMatching(
      /^Line 4: tags\["svc\/externalAuthPort"\].* Add svc\/externalAuthAddress/,
    ),
    expect.stringMatching(
      /^Line 13: spec\.defaultOptions\.timeoutSeconds is 900.* Write 600 or less/,
    ),
  ],
  Warnings: [
    expect.stringMatching(
      /^Line 5: tags\["svc\/protocol"\] is deprecated\. Use ports\[\]\.protocol/,
    ),
  ],
  Notes: [expect.stringMatching(/^Line 14: spec\.defaultOptions\.suspend stops serving/)],
};

const CRON = { org: 'acme', gvc: 'shop', workload: 'nightly-report', location: 'aws-us-west-2' };
/** Of shop/cart; the GVC has had its alias for ever. */
const NAME = 'cart-k3v9q2m7x1b8d';
const LOCATIONS = ['aws-us-west-2', 'azure-eastus2', 'gcp-europe-west4'];

describe.runIf(hasBrowser())('workload knowledge, in a browser', () => {
  let world: World;
  let dana: Visitor;
  let cleo: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    [dana, cleo] = await Promise.all([
      world.visit('U0DANA', 'C0DEPLOYS'),
      world.visit('U0CLEO', 'C0DEPLOYS'),
    ]);
    // A form whose check takes longer than a second closes, and the first check also waits for its thread.
    const form = await openForm(dana, '/workload check');
    await fill(form, { Manifest: MENDED });
    await dana.newAnswer(() => submit(form));
  });

  afterAll(() => world?.close());

  it('shows the mistakes of a manifest, and none after they are fixed', async () => {
    const form = await openForm(dana, '/workload check');
    await fill(form, { Manifest: WRONG });
    const answer = await dana.newAnswer(() => submit(form));

    expect(await findingsOf(answer)).toEqual(FINDINGS);
    const said = (await linesOf(answer)).join('\n');
    expect(said).toContain('Manifest of cart would be refused: 2 errors, 1 warning, 1 note');
    expect(said).toContain('7 of 8 fields checked · not checked: spec.extras.tolerations.');

    const again = await openBy(dana, answer, 'Check another');
    await fill(again, { Manifest: MENDED });
    const clean = await dana.newAnswer(() => submit(again));

    expect(await findingsOf(clean)).toEqual({});
    expect((await linesOf(clean)).join('\n')).toContain('Manifest of cart is valid');
  });

  it('checks the manifest of a chart without warnings, and names a misspelt field', async () => {
    const form = await openForm(dana, '/workload check');
    await fill(form, { Manifest: CHART });
    const answer = await dana.newAnswer(() => submit(form));

    const said = await answer.innerText();
    expect(said).toContain('Manifest of postgres is valid: ');
    expect(Object.keys(await findingsOf(answer))).toEqual(['Notes']);

    const again = await openBy(dana, answer, 'Check another');
    await fill(again, { Manifest: CHART.replace('defaultOptions', 'defaultOption') });
    const misspelt = await dana.newAnswer(() => submit(again));
    expect(await findingsOf(misspelt)).toMatchObject({
      Warnings: [
        'Line 17: spec.defaultOption is not a field that is known here. Write defaultOptions if that is meant.',
      ],
    });
  });

  it('keeps the form open for invalid YAML and names the line', async () => {
    const form = await openForm(dana, '/workload check');
    const empty = await submit(form);
    await fill(form, { Manifest: BROKEN });
    const errors = await submit(form);

    expect(empty).toEqual({ Manifest: 'Paste a manifest here, or choose a file below.' });
    expect(errors).toEqual({
      Manifest: expect.stringMatching(/^Line 3 opens a \{ that is not closed/),
    });
    expect(await valueOf(form, 'Manifest')).toBe(BROKEN);

    await fill(form, { Manifest: MENDED });
    const answer = await dana.newAnswer(() => submit(form));
    expect(await answer.innerText()).toContain('Manifest of cart is valid');
  });

  it('takes the same as a file', async () => {
    const form = await openForm(dana, '/workload check');
    await pick(form, { name: 'cart.yaml', text: WRONG });
    const answer = await dana.newAnswer(() => submit(form));
    expect(await findingsOf(answer)).toEqual(FINDINGS);

    const again = await openBy(dana, answer, 'Check another');
    await pick(again, { name: 'broken.yaml', text: BROKEN });
    const broken = await dana.newAnswer(() => submit(again));
    expect(await broken.innerText()).toContain('Line 3 of the file opens a { that is not closed');
  });

  it('finds every address of a workload, ready to be copied', async () => {
    const { port } = new URL(world.platformUrl);
    const answer = await dana.ask('/workload addresses shop/cart replicas=2 port=8080');

    expect(await copyable(answer)).toContain(`${NAME}.apps.localhost:${port}`);
    const addresses = (await copyable(answer)).filter((text) => /[.:]/.test(text));
    const replicas = LOCATIONS.flatMap((location) => [0, 1].map((index) => ({ location, index })));
    expect(addresses).toEqual([
      `${NAME}.apps.localhost:${port}`,
      `${NAME}.<orgEndpointPrefix>.apps.localhost:${port}`,
      ...LOCATIONS.map((location) => `${NAME}.${location}.svc-sandbox.example`),
      'cart.shop.svc.internal.example:8080',
      'http://cart:8080',
      ...replicas.flatMap(({ location, index }) => [
        `${NAME}-${index}.${location}.svc-sandbox.example`,
        `replica-${index}.cart.${location}.shop.svc.internal.example:8080`,
      ]),
    ]);
  });

  it('sees the batches of a rollout, in a table', async () => {
    const answer = await dana.ask('/workload plan replicas=4 maxSurge=50%');

    const batches = await recordsOf(answer);
    expect(batches.map((batch) => [batch['Batch'], batch['Starting'], batch['Serving']])).toEqual([
      ['1', '2', '4 (100%)'],
      ['2', '2', '4 (100%)'],
      ['end', '0', '4 (100%)'],
    ]);
    const said = (await linesOf(answer)).join('\n');
    expect(said).toContain('4 replicas roll out in 2 batches of 2 · never fewer than 4 serve');
  });

  it('looks a variable up, and the tags with a word', async () => {
    const variable = await dana.ask('/workload env token');
    const tags = await dana.ask('/workload tags auth');

    const about = await variable.innerText();
    expect(about).toContain('SVC_TOKEN – authorization token for the API and CLI');
    expect(about).toContain('from another workload or from outside it yields 403');
    expect(about).toContain('$SVC_TOKEN');
    const listed = await linesOf(tags);
    expect(listed).toContain('12 special tags with “auth”');
    expect(listed).toContain('Also with this word: svc/rateLimitDescriptors');
    const rows = await recordsOf(tags);
    expect(rows.map(({ Tag, Values, Default }) => [Tag, Values, Default])).toEqual(
      expect.arrayContaining([
        ['svc/externalAuthAddress', 'hostname or IP', 'none, it is required'],
        ['svc/externalAuthTimeout', 'duration, such as 1s', '1s'],
      ]),
    );
  });

  it('sees which locations and replicas answer', async () => {
    const addresses = await dana.ask('/workload addresses shop/cart');
    const answer = await dana.newAnswer(() => press(addresses, 'Probe shop/cart'));

    const calls = await recordsOf(answer);
    expect(calls.map(({ Status }) => Status)).toEqual(Array(5).fill('200'));
    for (const { Location, Replica } of calls) {
      expect(LOCATIONS).toContain(Location);
      expect(Replica).toMatch(/^cart-[0-9a-f]{8}$/);
    }
    expect(await answer.innerText()).toContain('shop/cart in org acme: 5 of 5 calls answered · ');
  });

  it('reads why a workload hides where its answers come from', async () => {
    const answer = await dana.ask('/workload probe shop/web');

    const calls = await recordsOf(answer);
    expect(calls.map(({ Location, Replica }) => `${Location} ${Replica}`)).toEqual(
      Array(5).fill('– –'),
    );
    const text = await answer.innerText();
    expect(text).toContain('5 of 5 calls answered, and none says where it came from');
    expect(text).toContain('are missing: the debug option spec.defaultOptions.debug is off');
  });

  it('reads the runs of a cron workload, and each of them in full', async () => {
    await world.platform('cron', { ...CRON, status: 'removed' });
    await world.platform('cron', { ...CRON, status: 'failed' });
    const answer = await dana.ask('/deployments jobs shop/nightly-report');

    const runs = await recordsOf(answer);
    // One of its own may be running: it does each night.
    expect(await answer.innerText()).toMatch(
      /: last run (?:failed|was removed before its end) in aws-us-west-2.* · others: .*successful.* · org acme/,
    );
    const failed = runs.find(({ Status }) => Status === 'failed');
    expect(failed).toMatchObject({
      Location: CRON.location,
      Message: 'Container nightly-report exited with code 1 and 1 more message',
    });
    await answer
      .getByRole('row')
      .filter({ hasText: 'exited with code 1' })
      .first()
      .getByRole('button')
      .click();
    const modal = dana.page.getByTestId('modal');
    await modal.getByText('logs by replica').waitFor();
    const said = await modal.innerText();
    expect(said).toMatch(/failed in aws-us-west-2, started .*, ended .*, took \d/);
    expect(said).toMatch(/logs by replica nightly-report-\S+ · job .* · workload v3/);
    await modal.getByRole('button', { name: 'Close' }).last().click();
    await modal.waitFor({ state: 'detached' });
  });

  it('finds the command for a task, and everything about a word', async () => {
    const all = await cleo.ask('/purser help');
    const word = await cleo.ask('/purser help invoice');

    const asked = await all.innerText();
    for (const wish of ['Check a deployment', 'Watch a GVC...', 'All commands']) {
      expect(asked).toContain(wish);
    }
    expect(await copyable(word)).toEqual(
      expect.arrayContaining(['/invoices pending', '/billing recipients', '/invoices help']),
    );
  });

  it('shares an answer with the channel, without the buttons that only the viewer may press', async () => {
    const answer = await dana.ask('/workload addresses shop/catalog');
    await press(answer, 'Share');

    const seen = cleo.message('Shared by');
    await seen.waitFor();
    expect(await seen.innerText()).toContain('Dev Dana');
    // The notes are lines, where they cannot be opened.
    const notes = ['replicaDirect', 'replicas=3', '<port>', 'port=8080'];
    expect(await copyable(seen)).toEqual([...(await copyable(answer)), ...notes]);
    expect(await seen.getByRole('button', { name: /Probe|Share|Read|All/ }).count()).toBe(0);
  });
});

describe.runIf(hasBrowser())('workload knowledge by role, and of another brand', () => {
  let world: World;
  let cleo: Visitor;
  let dana: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: { ORG_ACCESS: 'roles', BRAND_PREFIX: 'nova' } });
    await world.platform('users', { email: 'dana@acme.example', roles: [] });
    [cleo, dana] = await Promise.all([
      world.visit('U0CLEO', 'C0DEPLOYS'),
      world.visit('U0DANA', 'C0DEPLOYS'),
    ]);
  });

  afterAll(() => world?.close());

  it('refuses a person without a role, with the reason; help is for everybody', async () => {
    const reason =
      'The billing account has no user dana@acme.example: ask a billing_admin of the account to add you.';
    for (const command of ['addresses shop/cart', 'env', 'plan replicas=2', 'probe shop/cart']) {
      const answer = await dana.ask(`/workload ${command}`);
      expect(await answer.innerText()).toContain(reason);
    }
    const form = await openForm(dana, '/workload check');
    expect(await form.innerText()).toContain(reason);
    expect(await form.locator('textarea').count()).toBe(0);
    await dana.page.keyboard.press('Escape');

    const help = await dana.ask('/workload help');
    expect(await copyable(help)).toContain('/workload check');
  });

  it('speaks of variables, tags and headers by the name of the brand', async () => {
    const variable = await cleo.ask('/workload env token');
    const tag = await cleo.ask('/workload tags protocol');
    const probe = await cleo.ask('/workload probe shop/cart');
    const form = await openForm(cleo, '/workload check');
    await fill(form, { Manifest: WRONG.replace('svc/protocol', 'nova/protocol') });
    const check = await cleo.newAnswer(() => submit(form));

    expect(await copyable(variable)).toContain('NOVA_TOKEN');
    expect(await copyable(tag)).toContain('nova/protocol');
    expect(await copyable(probe)).toContain('x-nova-debug: true');
    expect(await findingsOf(check)).toMatchObject({
      Errors: [expect.stringContaining('use the tag nova/timeoutSecondsOverride')],
      Warnings: [expect.stringContaining('tags["nova/protocol"] is deprecated')],
    });
    expect(await check.innerText()).toContain('Write nova/externalAuthPort if that is meant');
  });
});
