// S3 and what speaks it, by the AWS SDK. Loaded only when the store is S3.
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { fromHttp } from '@aws-sdk/credential-provider-http';
import { fromIni } from '@aws-sdk/credential-provider-ini';
import { fromTokenFile } from '@aws-sdk/credential-provider-web-identity';
import { fromInstanceMetadata } from '@smithy/credential-provider-imds';
import { contentType, type ObjectStore, REQUEST_MS, type WriteAnswer } from './object-store.ts';
import { agentsFor } from './proxy.ts';
import { noS3, type S3Action, s3Answer, s3Problem } from './s3-problems.ts';
import type { S3Settings } from './s3-settings.ts';
import { keyUnder } from './store-address.ts';

/** A client for the bucket of the settings. Opens no connection yet. */
export function s3Store(settings: S3Settings): ObjectStore {
  const { address } = settings;
  const client = s3Client(settings);
  const object = (key: string) => ({ Bucket: address.bucket, Key: keyUnder(address, key) });
  const ask = async <T>(action: S3Action, request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      throw s3Problem(error, action, settings);
    }
  };
  const put = (key: string, body: string, condition: object): Promise<WriteAnswer> =>
    ask('s3:PutObject', async () => {
      const input = { ...object(key), ...condition, Body: body, ContentType: contentType(key) };
      try {
        const { ETag } = await client.send(new PutObjectCommand(input));
        return { done: true, tag: ETag ?? '' };
      } catch (error) {
        if (s3Answer(error) === 'condition does not hold') return { done: false };
        throw error;
      }
    });
  return {
    open: () =>
      ask('s3:ListBucket', async () => {
        const prefix = address.prefix === '' ? {} : { Prefix: `${address.prefix}/` };
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: address.bucket, MaxKeys: 1, ...prefix }),
        );
        // Any web server may answer 200; only a store says whether there is more.
        if (page.IsTruncated === undefined) throw noS3(settings);
      }),
    read: (key) =>
      ask('s3:GetObject', async () => {
        try {
          const { Body, ETag } = await client.send(new GetObjectCommand(object(key)));
          return { body: (await Body?.transformToString()) ?? '', tag: ETag ?? '' };
        } catch (error) {
          if (s3Answer(error) === 'no such key') return undefined;
          throw error;
        }
      }),
    create: (key, body) => put(key, body, { IfNoneMatch: '*' }),
    replace: (key, body, tag) => put(key, body, { IfMatch: tag }),
    remove: (key) =>
      ask('s3:DeleteObject', async () => {
        await client.send(new DeleteObjectCommand(object(key)));
      }),
    close: () => client.destroy(),
  };
}

function s3Client({ endpoint, region, credentials }: S3Settings): S3Client {
  return new S3Client({
    region,
    credentials: provider(credentials, region),
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // The waiting is ours, so that it is logged and bounded once.
    maxAttempts: 1,
    // Stores that are not Amazon's know nothing of the SDK's checksum trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // What celld does not read must not steer us: no AWS_ENDPOINT_URL, no second region.
    ignoreConfiguredEndpointUrls: true,
    followRegionRedirects: false,
    requestHandler: transport(endpoint ?? `https://s3.${region}.amazonaws.com`),
  });
}

/** celld's own bounds, and the proxy for that target. */
function transport(url: string) {
  return {
    connectionTimeout: 3_000,
    requestTimeout: REQUEST_MS,
    throwOnRequestTimeout: true,
    ...agentsFor(url),
  };
}

function provider(credentials: S3Settings['credentials'], region: string) {
  switch (credentials.from) {
    case 'keys': {
      const { from: _from, ...keys } = credentials;
      return keys;
    }
    case 'file':
      // The profile the chart takes for the node; no other file of the machine counts.
      return fromIni({
        filepath: credentials.path,
        configFilepath: '/dev/null',
        profile: 'default',
      });
    case 'web identity':
      return fromTokenFile({
        webIdentityTokenFile: credentials.tokenFile,
        roleArn: credentials.roleArn,
        roleSessionName: 'celld-stack-bootstrap',
        clientConfig: {
          region,
          maxAttempts: 1,
          requestHandler: transport(`https://sts.${region}.amazonaws.com`),
        },
      });
    case 'container':
      return fromHttp({
        maxRetries: 0,
        timeout: 3_000,
        ...(credentials.fullUri === undefined
          ? {}
          : { awsContainerCredentialsFullUri: credentials.fullUri }),
        ...(credentials.relativeUri === undefined
          ? {}
          : { awsContainerCredentialsRelativeUri: credentials.relativeUri }),
        ...(credentials.tokenFile === undefined
          ? {}
          : { awsContainerAuthorizationTokenFile: credentials.tokenFile }),
      });
    case 'instance metadata':
      return fromInstanceMetadata({ maxRetries: 0, timeout: 3_000 });
  }
}
