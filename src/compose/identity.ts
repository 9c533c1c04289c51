// How the nodes prove to the store who they are.
import type { CelldStackSpec } from '../api/celld-stack.gen.ts';
import type { JsonObject } from '../core/json.ts';
import { KEYS } from './keys.ts';
import type { Storage } from './storage.ts';

/** A Secret on the control plane with an AWS credentials file. */
export interface SecretSource {
  readonly name: string;
  readonly namespace: string;
  readonly key: string;
}

export type Identity =
  | { readonly kind: 'pod-identity' }
  /** Helm reads the Secret and hands it to our chart: no copy, and it shows in no status. */
  | { readonly kind: 'secret-value'; readonly source: SecretSource }
  /** An Object copies the Secret into the fleet's namespace. */
  | { readonly kind: 'secret-copy'; readonly source: SecretSource }
  /** A Secret that is in the fleet's namespace already. */
  | { readonly kind: 'existing-secret'; readonly name: string }
  | { readonly kind: 'google-key'; readonly secretName: string; readonly key: string }
  /** An annotation of the ServiceAccount, the machine's role, or nothing to prove. */
  | { readonly kind: 'platform' };

export interface IdentityInput {
  readonly spec: CelldStackSpec;
  readonly storage: Storage;
  readonly xrNamespace: string;
  /** False with a chart of the user's. */
  readonly ownChart: boolean;
  readonly observed: { readonly [key: string]: JsonObject };
}

/** Decides how nodes authenticate. A copied Secret that exists stays a copied Secret. */
export function identityOf(input: IdentityInput): Identity {
  const { spec, storage } = input;
  if (storage.kind === 'aws') return awsIdentity(input);
  if (storage.kind !== 'bucket') return { kind: 'platform' };
  const google = spec.credentials?.googleServiceAccount;
  if (google !== undefined && storage.parts.scheme === 'gs') {
    return { kind: 'google-key', secretName: google.secretName, key: google.key };
  }
  const name = spec.credentials?.existingSecret;
  return name === undefined ? { kind: 'platform' } : { kind: 'existing-secret', name };
}

function awsIdentity({ spec, xrNamespace, ownChart, observed }: IdentityInput): Identity {
  if (spec.aws.podIdentity.enabled) return { kind: 'pod-identity' };
  const ref = spec.aws.credentialsSecretRef;
  const irsa = spec.serviceAccount?.annotations?.['eks.amazonaws.com/role-arn'] !== undefined;
  if (ref === undefined && irsa && observed[KEYS.credentials] === undefined) {
    return { kind: 'platform' };
  }
  const source = {
    name: ref?.name ?? 'aws-creds',
    namespace: ref?.namespace ?? xrNamespace,
    key: ref?.key ?? 'credentials',
  };
  // provider-helm reads Secrets of the Release's own namespace only, and only our chart takes the text.
  const direct =
    ownChart && spec.overrideAllValues === undefined && source.namespace === xrNamespace;
  const copied = observed[KEYS.credentials] !== undefined;
  return { kind: direct && !copied ? 'secret-value' : 'secret-copy', source };
}
