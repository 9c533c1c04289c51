// A stand-in for celld: it obeys the contract an installer sees, and keeps no cells. It boots, waits or
// exits, serves, drains and ends as the release does that CELLD_STAND_IN_VERSION names.
import { mkdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { proveConditionalWrites } from '../../../src/bootstrap/conditional-writes.ts';
import type { ObjectStore } from '../../../src/bootstrap/object-store.ts';
import { openStore } from '../../../src/bootstrap/open-store.ts';
import { readSettings } from '../../../src/bootstrap/settings.ts';
import { loadDeployment, type Worker } from './deployment.ts';
import { bind, type Listener } from './listeners.ts';
import { type NodeSettings, Refusal, readNodeSettings, withFlags } from './node-settings.ts';

/** celld asks again every two seconds; a test has less time. */
const POLL_MS = 100;

await main().catch((error: unknown) => {
  say(`error: ${error instanceof Refusal ? error.message : ((error as Error).stack ?? error)}`);
  process.exit(1);
});

async function main(): Promise<void> {
  process.on('SIGTERM', () => process.exit(0)); // until there is something to drain
  const environment = withFlags(process.argv.slice(2), process.env);
  if (environment['CELLD_BUCKET'] === undefined && environment['CELLD_ADDR'] === undefined) {
    say('usage: celld [OPTIONS]');
    return;
  }
  const version = environment['CELLD_STAND_IN_VERSION'] ?? '';
  const { CELLD_STAND_IN_VERSION: _, ...own } = environment;
  const settings = readNodeSettings(version, own);
  const podIp = environment['STAND_IN_POD_IP'] ?? '127.0.0.1';
  const open = await bind(settings.listen, podIp);
  const internal = await bind(settings.internal, podIp);
  const store = await openNodeStore(own);
  await store.create('fleet/peer-auth.json', '{"version":1,"key":"00"}');
  const worker = await waitForDeployment(store, settings);
  mkdirSync(settings.watch, { recursive: true });
  await takeLease(store, settings);
  serve(open, internal, worker, settings);
  say(`celld listening on ${environment['CELLD_ADDR']}`);
}

/** celld makes no container, not even in an emulator. */
async function openNodeStore(environment: typeof process.env): Promise<ObjectStore> {
  const settings = readSettings(environment);
  const store = await openStore(
    settings.kind === 'az' ? { ...settings, emulator: false } : settings,
  );
  await store.open();
  await proveConditionalWrites(store, `node-${process.pid}`);
  return store;
}

async function waitForDeployment(store: ObjectStore, { line }: NodeSettings): Promise<Worker> {
  for (;;) {
    const worker = await loadDeployment(store);
    if (worker !== undefined) return worker;
    if (!line.waitsForDeployment) throw new Refusal('deploy/current.json: not found');
    await sleep(POLL_MS);
  }
}

async function takeLease(store: ObjectStore, settings: NodeSettings): Promise<void> {
  const key = `nodes/${settings.node}.json`;
  const lease = JSON.stringify({
    node: settings.node,
    addr: settings.advertise,
    expires_ms: Date.now() + 10_000,
  });
  const before = await store.read(key);
  const answer =
    before === undefined
      ? await store.create(key, lease)
      : await store.replace(key, lease, before.tag);
  if (answer.done) return;
  say('SELF-FENCE: lease lost');
  process.exit(3);
}

function serve(open: Listener, internal: Listener, worker: Worker, settings: NodeSettings): void {
  let draining = false;
  open.serve(async (request, response) => {
    if (draining) {
      response.setHeader('retry-after', '1').setHeader('connection', 'close');
      reply(response, 503, request.url === settings.line.healthPath ? '{"ok":false}' : 'draining');
    } else if (request.url === settings.line.healthPath) {
      reply(response, 200, '{"ok":true}');
    } else {
      await answerByWorker(worker, request, response);
    }
  });
  internal.serve(async (request, response) => {
    const probe = request.url === '/state' || request.url === '/__celld/probe';
    reply(response, probe ? 200 : 503, JSON.stringify({ node: settings.node, draining }));
  });
  const stop = () => {
    if (draining) return;
    draining = true;
    void drain(open, internal, settings);
  };
  process.removeAllListeners('SIGTERM').on('SIGTERM', stop).on('SIGINT', stop);
}

async function answerByWorker(
  worker: Worker,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = `http://${request.headers.host}${request.url}`;
  const answer = await worker.fetch(new Request(url));
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  reply(response, answer.status, await answer.text());
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status).end(body);
}

/** Ends when nothing is being answered any more, or at the bound; STAND_IN_DRAIN=whole takes all of it. */
async function drain(open: Listener, internal: Listener, { drainMs }: NodeSettings): Promise<void> {
  const end = performance.now() + drainMs;
  const idle = () => process.env['STAND_IN_DRAIN'] !== 'whole' && open.busy() === 0;
  while (performance.now() < end && !idle()) await sleep(10);
  say('node-log close: sealed epoch 1');
  open.close();
  internal.close();
  process.exit(0);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
