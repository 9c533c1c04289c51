// examples/observed/<example>/<step>.yaml: what a cluster holds at each step of a stack's birth, for
// `render -o`. The objects are what the function composes for the step before; the statuses are what
// provider-helm v1.3.0, provider-kubernetes v1.2.1, provider-upjet-aws and Crossplane v2.3.4 report.

const CREATED = '2026-01-01T00:00:00Z';
const yes = (type, more = {}) => ({
  type,
  status: 'True',
  reason: type === 'Ready' ? 'Available' : 'ReconcileSuccess',
  ...more,
});
const no = (type, reason, more = {}) => ({ type, status: 'False', reason, ...more });

/** Conditions without times are what the recordings have; the API server wants the time. */
function status(conditions, rest = {}) {
  return {
    ...rest,
    conditions: conditions.map((condition) => ({ lastTransitionTime: CREATED, ...condition })),
  };
}

const synced = (generation) => yes('Synced', { observedGeneration: generation });
const creating = (generation, rest = { atProvider: {} }) =>
  status([no('Ready', 'Creating', { observedGeneration: generation }), synced(generation)], rest);
const available = (generation, rest = {}) => status([yes('Ready'), synced(generation)], rest);
const failed = (generation, message, rest = { atProvider: {} }) =>
  status([no('Synced', 'ReconcileError', { observedGeneration: generation, message })], rest);

const namespaceReady = (object) =>
  available(2, {
    atProvider: {
      manifest: {
        ...object.spec.forProvider.manifest,
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Active' },
      },
    },
  });

const deployed = (generation, revision) => (object) =>
  available(generation, {
    atProvider: {
      releaseDescription: revision === 1 ? 'Install complete' : 'Upgrade complete',
      revision,
      state: 'deployed',
      version: object.spec.forProvider.chart.version,
    },
    synced: true,
  });

/** After every upgrade, until the next look, the Release says Unavailable although all is done. */
const upgraded = (object) =>
  status([no('Ready', 'Unavailable'), synced(3)], {
    atProvider: {
      releaseDescription: 'Upgrade complete',
      revision: 2,
      state: 'deployed',
      version: object.spec.forProvider.chart.version,
    },
  });

const statefulSet = (object, values, ready) => ({
  ...object.spec.forProvider.manifest,
  metadata: {
    ...object.spec.forProvider.manifest.metadata,
    annotations: { 'hops.ops.com.ai/expectation': values.expectation },
    generation: 1,
  },
  spec: {
    replicas: values.replicaCount,
    serviceName: `${values.fullnameOverride}-internal`,
    template: {
      spec: {
        containers: [{ name: 'celld', image: `${values.image.repository}:${values.image.tag}` }],
      },
    },
  },
  status: {
    observedGeneration: 1,
    replicas: values.replicaCount,
    updatedReplicas: values.replicaCount,
    ...(ready === 0 ? {} : { readyReplicas: ready }),
  },
});

const fleetStarting = (object, { values }) =>
  status([synced(1), no('Ready', 'Unavailable')], {
    atProvider: { manifest: statefulSet(object, values, 0) },
  });
const fleetReady = (object, { values }) =>
  status([synced(1), yes('Ready')], {
    atProvider: { manifest: statefulSet(object, values, values.replicaCount) },
  });

const usageReady = () => status([yes('Ready', { observedGeneration: 1 })]);
const asyncSuccess = () => yes('LastAsyncOperation', { reason: 'Success' });

const bucketReady = (object) => {
  const name = object.metadata.annotations['crossplane.io/external-name'];
  return status([yes('Ready'), synced(2), asyncSuccess()], {
    atProvider: {
      arn: `arn:aws:s3:::${name}`,
      bucketRegion: object.spec.forProvider.region,
      forceDestroy: false,
      id: name,
    },
  });
};
const blockReady = (object) =>
  status([yes('Ready'), synced(3), asyncSuccess()], {
    atProvider: { id: object.metadata.annotations['crossplane.io/external-name'] },
  });

const podIdentity = (object, bound) => {
  const role = object.spec.roleNameOverride;
  const arn = bound ? `arn:aws:iam::111122223333:role/${role}` : 'Pending';
  const conditions = bound
    ? [synced(1), yes('Ready', { observedGeneration: 1 })]
    : [
        synced(1),
        no('Ready', 'Creating', {
          observedGeneration: 1,
          message: 'Unready resources: pod-identity-association, and pod-identity-role',
        }),
      ];
  return status(conditions, {
    podIdentity: {
      region: object.spec.region,
      clusterName: object.spec.clusterName,
      serviceAccount: object.spec.serviceAccount,
      role: { name: role, arn, ready: bound },
      association: {
        create: true,
        id: bound ? 'a-0123456789abcdef0' : '',
        name: object.metadata.name,
        ready: bound,
        roleArn: arn,
      },
    },
  });
};

const minimalReady = {
  'helm-release-celld': deployed(2, 1),
  namespace: namespaceReady,
  fleet: fleetReady,
  'usage-celld-namespace': usageReady,
};
const awsBorn = {
  namespace: namespaceReady,
  's3-bucket': bucketReady,
  's3-bucket-pab': blockReady,
  'pod-identity': (o) => podIdentity(o, true),
};
const awsReady = {
  ...awsBorn,
  ...minimalReady,
  'usage-helm-celld-pod-identity': usageReady,
  'usage-helm-celld-s3-bucket': usageReady,
};

/** By example, each step and the statuses it has; keys without one have just been created. */
export const LIVES = {
  minimal: [
    ['1-created', 'Crossplane has just created what the first pass composed.', {}],
    [
      '2-installing',
      'The namespace is there, Helm installs.',
      { namespace: namespaceReady, 'helm-release-celld': () => creating(2) },
    ],
    [
      '3-deployed',
      'Helm has deployed; the next pass looks at the fleet and protects the namespace.',
      { namespace: namespaceReady, 'helm-release-celld': deployed(2, 1) },
    ],
    [
      '4-starting',
      'The fleet is seen for the first time; its node is not ready.',
      { ...minimalReady, fleet: fleetStarting },
    ],
    ['5-ready', 'All is ready.', minimalReady],
    [
      '6-upgraded',
      'Right after an upgrade: Helm is done, and the Release says Unavailable until the next look.',
      { ...minimalReady, 'helm-release-celld': upgraded },
    ],
    [
      '7-chart-missing',
      'provider-helm cannot fetch the chart.',
      {
        ...minimalReady,
        'helm-release-celld': () =>
          status(
            [
              no('Ready', 'Unavailable'),
              no('Synced', 'ReconcileError', {
                observedGeneration: 3,
                message:
                  'update failed: failed to upgrade release: failed to pull chart: chart "celld" version "9.9.9" not found in https://charts.example.com repository',
              }),
            ],
            {
              atProvider: {
                releaseDescription: 'Install complete',
                revision: 1,
                state: 'deployed',
                version: '0.3.1',
              },
            },
          ),
      },
    ],
  ],
  aws: [
    ['1-created', 'Crossplane has just created what the first pass composed.', {}],
    [
      '2-bucket-creating',
      'AWS is asked for the bucket, the role is on its way.',
      {
        namespace: namespaceReady,
        's3-bucket': () => creating(2),
        's3-bucket-pab': () =>
          failed(
            1,
            'cannot resolve references: mg.Spec.ForProvider.Bucket: referenced field was empty (referenced resource may not yet be ready)',
            {},
          ),
        'pod-identity': (object) => podIdentity(object, false),
      },
    ],
    [
      '3-bucket-ready',
      'The bucket is there; the association is not yet.',
      { ...awsBorn, 'pod-identity': (object) => podIdentity(object, false) },
    ],
    ['4-identity-ready', 'The association is there as well: the next pass installs.', awsBorn],
    ['5-deployed', 'Helm has deployed.', { ...awsBorn, 'helm-release-celld': deployed(2, 1) }],
    ['6-starting', 'The fleet is seen for the first time.', { ...awsReady, fleet: fleetStarting }],
    ['7-ready', 'All is ready.', awsReady],
    [
      '8-upgraded',
      'Right after an upgrade: Helm is done, and the Release says Unavailable until the next look.',
      { ...awsReady, 'helm-release-celld': upgraded },
    ],
    [
      '9-bucket-lost',
      'The provider lost sight of the bucket for a moment: its id is gone.',
      { ...awsReady, 's3-bucket': () => status([synced(2)], { atProvider: {} }) },
    ],
  ],
};

/** A step that does not follow from the one before it: what the provider says when the name is taken. */
export const NAME_TAKEN = [
  '2-name-taken',
  'Somebody else has a bucket of that name.',
  {
    namespace: namespaceReady,
    's3-bucket': () =>
      status(
        [
          no('Ready', 'Creating', { observedGeneration: 2 }),
          no('Synced', 'ReconcileError', {
            observedGeneration: 2,
            message:
              'async create failed: failed to create the resource: [{0 creating S3 Bucket (hops-celld-production): operation error S3: CreateBucket, https response error StatusCode: 409, RequestID: 6T3AV0FB6DP0Z1XN, HostID: b64host/example=, BucketAlreadyExists:   []}]',
          }),
          no('LastAsyncOperation', 'AsyncCreateFailure'),
        ],
        { atProvider: {} },
      ),
    's3-bucket-pab': () =>
      failed(
        1,
        'cannot resolve references: mg.Spec.ForProvider.Bucket: referenced field was empty (referenced resource may not yet be ready)',
        {},
      ),
    'pod-identity': (object) => podIdentity(object, true),
  },
];

/**
 * The files of an example's life: path and text of each step. `compose` is the function, `xr` the
 * example, `print` writes YAML.
 */
export function observedSteps(example, xr, compose, print) {
  const files = [];
  let desired = compose({ xr, resources: {}, required: {} }).resources;
  for (const [step, why, statuses] of LIVES[example]) {
    const observed = observe(xr, desired, statuses);
    files.push(file(example, step, why, observed, print));
    desired = compose({ xr, resources: observed, required: {} }).resources;
  }
  if (example === 'aws') {
    const first = compose({ xr, resources: {}, required: {} }).resources;
    const [step, why, statuses] = NAME_TAKEN;
    files.push(file(example, step, why, observe(xr, first, statuses), print));
  }
  return files;
}

function observe(xr, desired, statuses) {
  const values = desired['helm-release-celld']?.object.spec.forProvider.values;
  return Object.fromEntries(
    Object.entries(desired).map(([key, { object }]) => {
      const found = statuses[key]?.(object, { values });
      const observedGeneration = Math.max(
        1,
        ...(found?.conditions ?? []).map((c) => c.observedGeneration ?? 1),
      );
      return [
        key,
        {
          ...object,
          metadata: {
            ...object.metadata,
            namespace: xr.metadata.namespace,
            annotations: {
              ...object.metadata.annotations,
              'crossplane.io/composition-resource-name': key,
            },
            labels: { ...object.metadata.labels, 'crossplane.io/composite': xr.metadata.name },
            creationTimestamp: CREATED,
            generation: observedGeneration,
            uid: uidOf(key),
          },
          ...(found === undefined ? {} : { status: found }),
        },
      ];
    }),
  );
}

/** A uid that is the same at each run. */
function uidOf(key) {
  const digits = [...key].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 0xffffffff, 7);
  return `00000000-0000-4000-8000-${digits.toString(16).padStart(12, '0')}`;
}

function file(example, step, why, observed, print) {
  const text = `# ${why}\n${print(Object.values(observed))}`;
  return [`examples/observed/${example}/${step}.yaml`, text];
}
