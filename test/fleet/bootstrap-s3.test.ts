// bootstrap on S3, by a small server of our own that can break every promise. The real ones are in
// real-stores.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PLACEHOLDER } from '../../src/bootstrap/placeholder.ts';
import type { Problem } from '../../src/core/problem.ts';
import { APPLICATION, PLACEHOLDER_KEYS, runBootstrap } from '../support/fleet-store.ts';
import { startHanging } from '../support/hanging-server.ts';
import {
  type Lie,
  type S3Answer,
  type S3Server,
  type S3ServerOptions,
  startS3Server,
} from '../support/s3-server.ts';

const ACCOUNT = { bucket: 'fleet', accessKeyId: 'AKTEST', secretAccessKey: 'very-secret' };

function environmentOf(server: { readonly url: string }, more: object = {}) {
  return {
    CELLD_BUCKET: 'fleet',
    S3_ENDPOINT: server.url,
    AWS_ACCESS_KEY_ID: ACCOUNT.accessKeyId,
    AWS_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey,
    ...more,
  };
}

async function withServer(
  options: Partial<S3ServerOptions>,
  act: (server: S3Server) => Promise<void>,
): Promise<void> {
  const server = await startS3Server({ ...ACCOUNT, ...options });
  try {
    await act(server);
  } finally {
    await server.stop();
  }
}

function contents(server: S3Server): Readonly<Record<string, string>> {
  return Object.fromEntries(server.objects);
}

const WHOLE = Object.fromEntries(PLACEHOLDER.map(({ key, body }) => [key, body]));

describe('bootstrap() on S3', () => {
  it('writes the placeholder into an empty bucket and leaves nothing else', () =>
    withServer({}, async (server) => {
      assert.deepEqual(await runBootstrap(environmentOf(server)), {
        outcome: 'placeholder',
        log: ['create-only and compare-and-swap writes hold'],
      });
      assert.deepEqual(contents(server), WHOLE);
      assert.deepEqual(
        server.changes.filter((change) => !change.includes('probe/')),
        PLACEHOLDER_KEYS.map((key) => `PUT ${key}`),
      );
    }));

  it('writes nothing but its own probe where no placeholder is wanted', () =>
    withServer({}, async (server) => {
      const run = await runBootstrap(environmentOf(server), { placeholder: false });
      assert.equal(run.outcome, 'empty');
      assert.deepEqual(contents(server), {});
    }));

  it('stays under its prefix', () =>
    withServer({}, async (server) => {
      server.put('deploy/current.json', 'of another fleet');
      const run = await runBootstrap(environmentOf(server, { CELLD_BUCKET: 's3://fleet/a/b' }));
      assert.equal(run.outcome, 'placeholder');
      assert.deepEqual(
        [...new Set(server.changes.map((change) => change.replace(/(?:cas|race)-.*/u, '')))],
        [
          'PUT deploy/current.json',
          'PUT a/b/probe/',
          'DELETE a/b/probe/',
          ...PLACEHOLDER_KEYS.map((key) => `PUT a/b/${key}`),
        ],
      );
    }));

  it('only reads a bucket that has an application, bit for bit, twenty times over', () =>
    withServer({}, async (server) => {
      for (const [key, body] of Object.entries(APPLICATION)) server.put(key, body);
      const before = [...server.changes];
      for (let i = 0; i < 20; i++) {
        assert.deepEqual(await runBootstrap(environmentOf(server)), {
          outcome: 'deployed',
          log: ['deploy/current.json names version "0123456789abcdef" of "shop": nothing to write'],
        });
      }
      assert.deepEqual(contents(server), APPLICATION);
      assert.deepEqual(server.changes, before);
    }));

  it('takes whatever stands at the pointer for a deployment', () =>
    withServer({}, async (server) => {
      server.put('deploy/current.json', 'not even JSON');
      assert.deepEqual(await runBootstrap(environmentOf(server)), {
        outcome: 'deployed',
        log: ['deploy/current.json names a deployment: nothing to write'],
      });
      assert.deepEqual(contents(server), { 'deploy/current.json': 'not even JSON' });
    }));

  it('completes every half-written placeholder', async () => {
    for (let present = 0; present < 8; present++) {
      await withServer({}, async (server) => {
        PLACEHOLDER.slice(0, 3).forEach(({ key, body }, i) => {
          if ((present & (1 << i)) !== 0) server.put(key, body);
        });
        const run = await runBootstrap(environmentOf(server));
        assert.equal(run.outcome, 'placeholder');
        assert.deepEqual(contents(server), WHOLE);
      });
    }
  });

  it('leaves a named pointer of somebody else alone', () =>
    withServer({}, async (server) => {
      server.put('deploy/placeholder/current.json', '{"version":"another"}');
      const run = await runBootstrap(environmentOf(server));
      assert.equal(run.outcome, 'placeholder');
      assert.deepEqual(contents(server), {
        ...WHOLE,
        'deploy/placeholder/current.json': '{"version":"another"}',
      });
    }));

  it('refuses to point at a module that is not the one it wrote', () =>
    withServer({}, async (server) => {
      server.put(PLACEHOLDER_KEYS[0] ?? '', 'half of it');
      const { outcome } = await runBootstrap(environmentOf(server));
      assert.deepEqual(outcome, {
        code: 'PLACEHOLDER_CLASH',
        path: 's3://fleet',
        message: `${PLACEHOLDER_KEYS[0]} holds something else than the placeholder`,
        hint: 'deploy an application with celld deploy, or remove that key',
      });
      assert.deepEqual(contents(server), { [PLACEHOLDER_KEYS[0] ?? '']: 'half of it' });
    }));

  it('lets ten racing processes write one placeholder between them', () =>
    withServer({}, async (server) => {
      const runs = await Promise.all(
        Array.from({ length: 10 }, () => runBootstrap(environmentOf(server))),
      );
      const outcomes = runs.map(({ outcome }) => outcome);
      assert.equal(outcomes.filter((outcome) => outcome === 'placeholder').length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === 'deployed').length, 9);
      assert.deepEqual(contents(server), WHOLE);
      const pointers = server.changes.filter((change) => change.endsWith(' deploy/current.json'));
      assert.deepEqual(pointers, ['PUT deploy/current.json']);
    }));

  it('gives way to an application that is deployed while it writes', () => {
    let server: S3Server | undefined;
    return withServer(
      {
        whim: ({ method, key }) => {
          if (method === 'PUT' && key === 'deploy/placeholder/current.json') {
            for (const [of, body] of Object.entries(APPLICATION)) server?.put(of, body);
          }
          return undefined;
        },
      },
      async (started) => {
        server = started;
        const run = await runBootstrap(environmentOf(started));
        assert.equal(run.outcome, 'deployed');
        assert.equal(
          started.objects.get('deploy/current.json'),
          APPLICATION['deploy/current.json'],
        );
      },
    );
  });
});

describe('bootstrap() on an S3 store that breaks its promises', () => {
  const lies: readonly (readonly [Lie, string])[] = [
    [
      'create over what exists',
      'accepted a create-only write (If-None-Match: *) over an object that exists',
    ],
    [
      'replace whatever is there',
      'accepted a compare-and-swap write (If-Match) with a tag that is no longer true',
    ],
    ['let racers create', 'accepted several create-only writes to one key at the same moment'],
    ['change tags', 'refused a compare-and-swap write (If-Match) with the tag it had just given'],
    ['read the past', 'did not read back the write it had accepted last'],
  ];
  for (const [lie, complaint] of lies) {
    it(`explains the lie "${lie}", and writes no placeholder`, () =>
      withServer({ lies: [lie] }, async (server) => {
        const { outcome } = await runBootstrap(environmentOf(server));
        assert.deepEqual(outcome, {
          code: 'STORE_CONDITIONAL_WRITES',
          path: 's3://fleet',
          message: `the store ${complaint}: a fleet on it would lose data`,
          hint: 'use Amazon S3, Cloudflare R2, Tigris, Google Cloud Storage or Azure Blob Storage; known not to work: Backblaze B2, Hetzner, DigitalOcean Spaces, MinIO RELEASE.2025-09-06T17-38-46Z',
        });
        assert.deepEqual(contents(server), {});
      }));
  }

  const answers: readonly (readonly [S3Answer, string])[] = [
    [{ status: 501, code: 'NotImplemented' }, 'does not know conditional writes'],
    [{ status: 404, code: 'NoSuchKey' }, 'answered a create-only write with NoSuchKey'],
  ];
  for (const [answer, complaint] of answers) {
    it(`explains ${answer.code} to a create-only write`, () =>
      withServer(
        { whim: ({ ifNoneMatch }) => (ifNoneMatch === '*' ? answer : undefined) },
        async (server) => {
          const { outcome } = await runBootstrap(environmentOf(server));
          assert.equal((outcome as Problem).code, 'STORE_CONDITIONAL_WRITES');
          assert.equal(
            (outcome as Problem).message,
            `the store ${complaint}: a fleet on it would lose data`,
          );
        },
      ));
  }
});

describe('bootstrap() on an S3 store that is not well', () => {
  it('waits for a store that is down, says so, and goes on when it is up', async () => {
    const first = await startS3Server(ACCOUNT);
    const port = Number(new URL(first.url).port);
    await first.stop();
    const running = runBootstrap(environmentOf(first));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const second = await startS3Server({ ...ACCOUNT, port });
    try {
      const run = await running;
      assert.equal(run.outcome, 'placeholder');
      const waits = run.log.slice(0, -2);
      assert.ok(waits.length >= 2);
      for (const line of waits) {
        assert.match(
          line,
          /^s3:\/\/fleet: waiting: http:\/\/127\.0\.0\.1:\d+: connection (?:refused|broken off); next try in 0\.\d s, giving up in \d+(?:\.\d)? s$/u,
        );
      }
      assert.match(run.log.at(-1) ?? '', /^s3:\/\/fleet: answered after \d\.\d s$/u);
      assert.deepEqual(contents(second), WHOLE);
    } finally {
      await second.stop();
    }
  });

  it('gives up in time, with one line', async () => {
    const server = await startS3Server(ACCOUNT);
    await server.stop();
    const start = performance.now();
    const { outcome } = await runBootstrap(environmentOf(server), { timeoutMs: 1_500 });
    assert.ok(performance.now() - start < 4_000);
    assert.equal((outcome as Problem).code, 'STORE_UNREACHABLE');
    assert.match(
      (outcome as Problem).message,
      /^http:\/\/127\.0\.0\.1:\d+: connection refused \(asked \d+ times in \d\.\d s\)$/u,
    );
  });

  it('gives up on a store that takes connections and never answers', async () => {
    await withServer({}, async (server) => {
      const hanging = await startHanging();
      const start = performance.now();
      const { outcome } = await runBootstrap(
        { ...environmentOf(server), S3_ENDPOINT: hanging.url },
        { timeoutMs: 200 },
      );
      await hanging.stop();
      assert.ok(performance.now() - start < 3000);
      assert.deepEqual(outcome, {
        code: 'STORE_UNREACHABLE',
        path: 's3://fleet',
        message: 'no answer in time',
      });
    });
  });

  it('stops waiting when it is told to', async () => {
    const server = await startS3Server(ACCOUNT);
    await server.stop();
    const stop = new AbortController();
    const running = runBootstrap(environmentOf(server), { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    const { outcome } = await running;
    assert.deepEqual(outcome, {
      code: 'STORE_UNREACHABLE',
      path: 's3://fleet',
      message: 'told to stop before the store had answered',
    });
  });

  it('survives that any single answer is lost after the store has done what was asked', async () => {
    // A whole run asks nineteen times; at the twentieth nothing is lost.
    for (let at = 1; at <= 20; at++) {
      await withServer(
        { whim: (_request, count) => (count === at ? 'lose' : undefined) },
        async (server) => {
          const { outcome } = await runBootstrap(environmentOf(server));
          // The pointer whose answer was lost is found as a deployment.
          assert.equal(outcome, at === 19 ? 'deployed' : 'placeholder', `request ${at}`);
          assert.deepEqual(contents(server), WHOLE, `request ${at}`);
        },
      );
    }
  });

  it('goes on after the store was busy', () =>
    withServer(
      { whim: (_request, count) => (count <= 2 ? { status: 503, code: 'SlowDown' } : undefined) },
      async (server) => {
        const run = await runBootstrap(environmentOf(server));
        assert.equal(run.outcome, 'placeholder');
        assert.match(run.log[0] ?? '', /answers HTTP 503; next try/u);
      },
    ));

  it('gives a new permission time to arrive', () =>
    withServer(
      {
        whim: (_request, count) => (count <= 2 ? { status: 403, code: 'AccessDenied' } : undefined),
      },
      async (server) => {
        const run = await runBootstrap(environmentOf(server), { denialTimeoutMs: 5_000 });
        assert.equal(run.outcome, 'placeholder');
      },
    ));
});

describe('bootstrap() on an S3 store that says no', () => {
  const keys = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  const allow = `allow s3:ListBucket on the bucket and s3:GetObject, s3:PutObject, s3:DeleteObject on its keys to the credentials from ${keys}`;

  it('names a wrong access key', () =>
    withServer({}, async (server) => {
      const { outcome } = await runBootstrap(
        environmentOf(server, { AWS_ACCESS_KEY_ID: 'AKOTHER' }),
      );
      assert.deepEqual(outcome, {
        code: 'STORE_CREDENTIALS',
        path: 's3://fleet',
        message: `credentials (${keys}): the store does not know the access key (InvalidAccessKeyId)`,
      });
    }));

  it('names a wrong secret key and never prints it', () =>
    withServer({}, async (server) => {
      const run = await runBootstrap(
        environmentOf(server, { AWS_SECRET_ACCESS_KEY: 'wrong-secret' }),
        { denialTimeoutMs: 1_000 },
      );
      assert.match(
        (run.outcome as Problem).message,
        /^credentials \(AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\): the secret key does not fit the access key \(SignatureDoesNotMatch\) \(asked \d+ times in \d\.\d s\)$/u,
      );
      assert.ok(run.log.length > 0);
      assert.doesNotMatch(JSON.stringify(run), /wrong-secret/u);
    }));

  it('scrubs a secret that the store itself repeats', () =>
    withServer(
      {
        whim: () => ({
          status: 403,
          code: 'AccessDenied',
          message: 'you sent very-secret to /?X-Amz-Signature=abc',
        }),
      },
      async (server) => {
        const { outcome } = await runBootstrap(environmentOf(server));
        assert.deepEqual(outcome, {
          code: 'STORE_PERMISSION',
          path: 's3://fleet',
          message:
            'no permission: s3:ListBucket on arn:aws:s3:::fleet is missing: you sent *** to /?X-Amz-Signature=***',
          hint: allow,
        });
      },
    ));

  const denied: readonly (readonly [string, (method: string, key: string) => boolean, string])[] = [
    [
      'list',
      (_method, key) => key === '',
      's3:ListBucket on arn:aws:s3:::fleet is missing: AccessDenied',
    ],
    [
      'read',
      (method, key) => method === 'GET' && key !== '',
      's3:GetObject (and s3:ListBucket, for keys not there) on arn:aws:s3:::fleet/p/* is missing: AccessDenied',
    ],
    [
      'write',
      (method) => method === 'PUT',
      's3:PutObject on arn:aws:s3:::fleet/p/* is missing: AccessDenied',
    ],
    [
      'delete',
      (method) => method === 'DELETE',
      's3:DeleteObject on arn:aws:s3:::fleet/p/* is missing: AccessDenied',
    ],
  ];
  for (const [what, applies, message] of denied) {
    it(`names the permission that is missing to ${what}, and leaves nothing behind`, () =>
      withServer(
        {
          whim: ({ method, key }) =>
            applies(method, key) ? { status: 403, code: 'AccessDenied' } : undefined,
        },
        async (server) => {
          const { outcome } = await runBootstrap(
            environmentOf(server, { CELLD_BUCKET: 'fleet/p' }),
          );
          assert.deepEqual(outcome, {
            code: 'STORE_PERMISSION',
            path: 's3://fleet/p',
            message: `no permission: ${message}`,
            hint: allow,
          });
          assert.deepEqual(contents(server), {});
        },
      ));
  }

  it('names a bucket that is not there', () =>
    withServer({}, async (server) => {
      const { outcome } = await runBootstrap(environmentOf(server, { CELLD_BUCKET: 'no-fleet' }));
      assert.deepEqual(outcome, {
        code: 'STORE_BUCKET_MISSING',
        path: 's3://no-fleet',
        message: `there is no bucket no-fleet at ${server.url}`,
        hint: 'create the bucket, or correct CELLD_BUCKET',
      });
    }));

  const elsewhere: readonly S3Answer[] = [
    {
      status: 301,
      code: 'PermanentRedirect',
      headers: { 'x-amz-bucket-region': 'eu-west-1' },
    },
    {
      status: 400,
      body: '<Error><Code>AuthorizationHeaderMalformed</Code><Message>wrong region</Message><Region>eu-west-1</Region></Error>',
    },
  ];
  for (const answer of elsewhere) {
    it(`names the region a bucket is in, as HTTP ${answer.status} tells it`, () =>
      withServer({ whim: () => answer }, async (server) => {
        const { outcome } = await runBootstrap(environmentOf(server));
        assert.deepEqual(outcome, {
          code: 'STORE_ENDPOINT',
          path: 's3://fleet',
          message: 'bucket fleet is in region eu-west-1, not in us-east-1',
          hint: 'set AWS_REGION to eu-west-1',
        });
      }));
  }

  it('repeats an answer it has no words for', () =>
    withServer(
      { whim: () => ({ status: 405, code: 'MethodNotAllowed', message: 'not here' }) },
      async (server) => {
        const { outcome } = await runBootstrap(environmentOf(server));
        assert.deepEqual(outcome, {
          code: 'STORE_UNREACHABLE',
          path: 's3://fleet',
          message: `${server.url}: s3:ListBucket was answered with 405 MethodNotAllowed not here`,
        });
      },
    ));

  it('knows a web page from a store', () =>
    withServer(
      {
        whim: () => ({
          status: 200,
          body: '<!doctype html><title>Console</title>',
          headers: { 'content-type': 'text/html; charset=utf-8' },
        }),
      },
      async (server) => {
        const { outcome } = await runBootstrap(environmentOf(server));
        assert.deepEqual(outcome, {
          code: 'STORE_ENDPOINT',
          path: 's3://fleet',
          message: `${server.url}: answers, but not as an S3 endpoint does`,
          hint: 'check S3_ENDPOINT: the console of a store often has a port of its own',
        });
      },
    ));

  it('knows http from https', () =>
    withServer({}, async (server) => {
      const url = server.url.replace('http:', 'https:');
      const { outcome } = await runBootstrap({ ...environmentOf(server), S3_ENDPOINT: url });
      assert.equal((outcome as Problem).code, 'STORE_ENDPOINT');
      assert.match(
        (outcome as Problem).message,
        /^https:\/\/127\.0\.0\.1:\d+: it does not speak the protocol of this URL \((?:EPROTO|ERR_SSL_\w+)\)$/u,
      );
    }));
});
