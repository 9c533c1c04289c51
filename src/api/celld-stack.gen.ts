// Generated from apis/celldstacks/definition.yaml by `npm run generate`. Do not edit.
import type { JsonObject } from '../core/json.ts';

export interface CelldStackSpec {
  /** Name of the target cluster. ProviderConfigs are looked up by this name unless providerConfigRefs says otherwise; with aws.enabled it is the name of the EKS cluster. Cannot change. */
  readonly clusterName: string;
  /** Namespace of the Helm release on the target cluster. Cannot change. */
  readonly namespace: string;
  /** Whether the stack makes the namespace and removes it when the stack is deleted. The XR's own namespace, default and the kube- namespaces are never removed. Turned off later, the namespace stays. */
  readonly createNamespace: boolean;
  /** Helm release name, a DNS label of at most 53 characters that starts with a letter. Defaults to metadata.name. Cannot change. */
  readonly releaseName?: string;
  /** celld Helm chart version. */
  readonly chartVersion: string;
  /** Helm repository (https:// or oci://, without the chart's name) to take the chart from. Defaults to the chart published with this package. With another chart the stack leaves out what only its own chart knows. */
  readonly chartRepository?: string;
  /** URL of a packaged chart, instead of a repository. */
  readonly chartUrl?: string;
  /** The celld image. */
  readonly image: CelldStackImage;
  /** Fleet nodes. Three are recommended; two or more acknowledge writes once several disks hold them. */
  readonly replicaCount: number;
  /** The bucket the fleet keeps its data in, with an optional key prefix: s3://NAME[/PREFIX], gs://NAME[/PREFIX] or az://CONTAINER[/PREFIX]. It must exist. */
  readonly bucket?: string;
  /** Endpoint of an S3-compatible store, for example Cloudflare R2. Leave it out for AWS S3. Unused with aws.enabled. */
  readonly endpoint?: string;
  /** Region of the object storage. Unused for gs:// and az://; with aws.enabled, aws.region counts. */
  readonly region: string;
  /** Static credentials for spec.bucket. Leave them out where the nodes get an identity from the platform. */
  readonly credentials?: CelldStackCredentials;
  /** The Azure storage account of an az:// bucket. */
  readonly azure?: CelldStackAzure;
  /** When a write is acknowledged: once the bucket has it (bucket), or once the disks of several nodes have it (fleet). Defaults to fleet with two or more nodes on persistent disks, else to bucket. */
  readonly durability?: 'fleet' | 'bucket';
  /** An in-cluster Azurite as the fleet's store. For development only. */
  readonly azurite: CelldStackAzurite;
  /** An S3 bucket made for the fleet, and the right to use it through EKS Pod Identity. */
  readonly aws: CelldStackAws;
  /** AWS tags, merged over hops.ops.com.ai/managed and hops.ops.com.ai/celldstack. */
  readonly tags?: { readonly [key: string]: string };
  /** Labels of every composed resource, merged over hops.ops.com.ai/managed and hops.ops.com.ai/celldstack. */
  readonly labels?: { readonly [key: string]: string };
  /** Management policies of every composed managed resource. */
  readonly managementPolicies: readonly ('*' | 'Observe' | 'Create' | 'Update' | 'Delete' | 'LateInitialize')[];
  /** ProviderConfigs of the composed resources. Each defaults to a ProviderConfig named clusterName. */
  readonly providerConfigRefs?: CelldStackProviderConfigRefs;
  /** Deprecated: use providerConfigRefs.helm. */
  readonly helmProviderConfigRef?: CelldStackHelmProviderConfigRef;
  /** The disk of each node (CELLD_WATCH). Cannot change, since Kubernetes does not change the claims of a StatefulSet. */
  readonly persistence: CelldStackPersistence;
  /** The ServiceAccount of the nodes. */
  readonly serviceAccount?: CelldStackServiceAccount;
  /** Run celld dev, one Wrangler project with a local store, instead of a fleet. For development only. */
  readonly dev: CelldStackDev;
  /** The step that readies an empty bucket before the first node starts. */
  readonly bootstrap: CelldStackBootstrap;
  /** How a new celld release or chart reaches the nodes. */
  readonly upgrade: CelldStackUpgrade;
  /** Where the nodes send traces and logs. */
  readonly telemetry?: CelldStackTelemetry;
  /** Helm values merged over those of the stack, maps key by key, lists as a whole. */
  readonly values?: JsonObject;
  /** Helm values that replace all those of the stack. */
  readonly overrideAllValues?: JsonObject;
}

export interface CelldStackImage {
  /** Image repository. */
  readonly repository: string;
  /** celld release, such as 0.6.2. A new stack gets the newest release this package knows and keeps it until a tag is set, so that an upgrade of the package never upgrades a fleet. */
  readonly tag?: string;
  /** When the image is pulled. */
  readonly pullPolicy: 'Always' | 'IfNotPresent' | 'Never';
}

export interface CelldStackCredentials {
  /** Name of a Secret in the fleet's namespace whose keys become environment variables of each node: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for s3://, AZURE_STORAGE_ACCOUNT_KEY for az://, GOOGLE_SERVICE_ACCOUNT_KEY for gs://. Unused with aws.enabled. */
  readonly existingSecret?: string;
  /** Key file of a Google service account, for gs://. */
  readonly googleServiceAccount?: CelldStackCredentialsGoogleServiceAccount;
}

export interface CelldStackCredentialsGoogleServiceAccount {
  /** Name of a Secret in the fleet's namespace. */
  readonly secretName: string;
  /** Key of the Secret that holds the JSON key file. */
  readonly key: string;
}

export interface CelldStackAzure {
  /** Name of the storage account. */
  readonly accountName?: string;
  /** Client ID of a user-assigned managed identity. With AKS workload identity, set the annotation azure.workload.identity/client-id in serviceAccount.annotations instead. */
  readonly clientId?: string;
}

export interface CelldStackAzurite {
  /** Deploy Azurite and point the fleet at it. */
  readonly enabled: boolean;
  /** Blob container name. */
  readonly container: string;
  /** The disk Azurite keeps its blobs on. */
  readonly persistence: CelldStackAzuritePersistence;
}

export interface CelldStackAzuritePersistence {
  /** Whether blobs survive a restart of Azurite. */
  readonly enabled: boolean;
  /** Size of the disk. */
  readonly size: string;
  /** Storage class; the cluster's default when left out. */
  readonly storageClassName?: string;
}

export interface CelldStackAws {
  /** Create an S3 bucket and an EKS Pod Identity and point the fleet at the bucket. */
  readonly enabled: boolean;
  /** Globally unique S3 bucket name. Defaults to hops-celld-NAME. Cannot change. */
  readonly bucketName?: string;
  /** Region of the bucket and of the EKS cluster. Cannot change once aws.enabled is true. */
  readonly region: string;
  /** Prefix of the IAM role's name. */
  readonly rolePrefix?: string;
  /** ARN of the IAM permissions boundary of the role. */
  readonly permissionsBoundaryArn?: string;
  /** Let the deletion of the stack delete a bucket that still holds data. Off by default, because the bucket is the only durable copy of every Durable Object. */
  readonly forceDestroy: boolean;
  /** Whether the bucket goes (Delete) or stays in AWS (Orphan) when the stack is deleted. */
  readonly deletionPolicy: 'Delete' | 'Orphan';
  /** KMS key to encrypt the bucket with. S3 encrypts with AES256 by itself when this is left out. */
  readonly kmsKeyArn?: string;
  /** EKS Pod Identity for the fleet's ServiceAccount. */
  readonly podIdentity: CelldStackAwsPodIdentity;
  /** Secret on the control plane with AWS credentials in the form of a shared credentials file. Used with podIdentity.enabled false; defaults to aws-creds in the XR's namespace. */
  readonly credentialsSecretRef?: CelldStackAwsCredentialsSecretRef;
}

export interface CelldStackAwsPodIdentity {
  /** Bind the ServiceAccount to an IAM role for the bucket. Turn it off outside EKS. */
  readonly enabled: boolean;
}

export interface CelldStackAwsCredentialsSecretRef {
  /** Name of the Secret. */
  readonly name: string;
  /** Namespace of the Secret; the XR's when left out. From another namespace the Secret is copied through an Object, which shows it in its status unless provider-kubernetes runs with --sanitize-secrets. */
  readonly namespace?: string;
  /** Key of the Secret that holds the file. */
  readonly key: string;
}

export interface CelldStackProviderConfigRefs {
  /** ProviderConfig of provider-helm. */
  readonly helm?: CelldStackProviderConfigRefsHelm;
  /** ProviderConfig of provider-kubernetes. */
  readonly kubernetes?: CelldStackProviderConfigRefsKubernetes;
  /** ProviderConfig of the AWS providers. */
  readonly aws?: CelldStackProviderConfigRefsAws;
}

export interface CelldStackProviderConfigRefsHelm {
  /** Name; clusterName when left out. */
  readonly name?: string;
  /** A ProviderConfig lives in the XR's namespace. */
  readonly kind?: 'ProviderConfig' | 'ClusterProviderConfig';
}

export interface CelldStackProviderConfigRefsKubernetes {
  /** Name; clusterName when left out. */
  readonly name?: string;
  /** A ProviderConfig lives in the XR's namespace. */
  readonly kind?: 'ProviderConfig' | 'ClusterProviderConfig';
}

export interface CelldStackProviderConfigRefsAws {
  /** Name; clusterName when left out. */
  readonly name?: string;
  /** A ProviderConfig lives in the XR's namespace. */
  readonly kind?: 'ProviderConfig' | 'ClusterProviderConfig';
}

export interface CelldStackHelmProviderConfigRef {
  /** Name; clusterName when left out. */
  readonly name?: string;
  /** A ProviderConfig lives in the XR's namespace. */
  readonly kind?: 'ProviderConfig' | 'ClusterProviderConfig';
}

export interface CelldStackPersistence {
  /** Whether each node has a disk that survives it. */
  readonly enabled: boolean;
  /** Size of each disk. */
  readonly size: string;
  /** Storage class; the cluster's default when left out. */
  readonly storageClassName?: string;
  /** A PersistentVolumeClaim to use instead of a new one, for a single node. */
  readonly existingClaim?: string;
}

export interface CelldStackServiceAccount {
  /** Annotations that bind it to a cloud identity, for example eks.amazonaws.com/role-arn, iam.gke.io/gcp-service-account or azure.workload.identity/client-id. */
  readonly annotations?: { readonly [key: string]: string };
}

export interface CelldStackDev {
  /** Run celld dev on one node. */
  readonly enabled: boolean;
  /** Folder of a Wrangler project on the machine the pod runs on. Without it the chart's placeholder Worker is served. */
  readonly hostPath?: string;
  /** Where the project is mounted in the pod. */
  readonly mountPath: string;
  /** Port the Worker listens on. */
  readonly port: number;
  /** Print the Worker's logs. */
  readonly logs: boolean;
  /** Rebuild when the project changes. Off without hostPath. */
  readonly watch: boolean;
  /** Start from an empty local store each time. */
  readonly clean: boolean;
}

export interface CelldStackBootstrap {
  /** Check the store and, where no application is deployed yet, deploy a placeholder Worker. An application that is there is never replaced. */
  readonly enabled: boolean;
}

export interface CelldStackUpgrade {
  /** Auto follows what the celld releases can do; Rolling replaces one node after another; Recreate stops all nodes first. */
  readonly strategy: 'Auto' | 'Rolling' | 'Recreate';
}

export interface CelldStackTelemetry {
  /** OTLP/HTTP endpoint of a collector. */
  readonly endpoint?: string;
}

export interface CelldStackStatus {
  /** True when the namespace, the Helm release, the Usage between them and, with aws.enabled, bucket and Pod Identity are ready. */
  readonly ready?: boolean;
  /** The Helm release. */
  readonly release?: CelldStackStatusRelease;
  /** The public Service for Worker traffic. */
  readonly service?: CelldStackStatusService;
  /** The bucket of the fleet. */
  readonly bucket?: CelldStackStatusBucket;
  /** The EKS Pod Identity of the fleet's ServiceAccount. */
  readonly podIdentity?: CelldStackStatusPodIdentity;
  /** The nodes. */
  readonly fleet?: CelldStackStatusFleet;
}

export interface CelldStackStatusRelease {
  /** Name of the release. */
  readonly name?: string;
  /** Namespace of the release. */
  readonly namespace?: string;
  /** Version of the chart that is deployed. */
  readonly version?: string;
  /** Revision of the release. */
  readonly revision?: number;
  /** State of the release, in Helm's words. */
  readonly state?: string;
  /** Whether the release is deployed as asked for. */
  readonly ready?: boolean;
}

export interface CelldStackStatusService {
  /** Name of the Service. */
  readonly name?: string;
  /** Namespace of the Service. */
  readonly namespace?: string;
  /** Port of the Service. */
  readonly port?: number;
  /** URL of the Service inside the cluster. */
  readonly url?: string;
}

export interface CelldStackStatusBucket {
  /** Name of the bucket. */
  readonly name?: string;
  /** With aws.enabled, the bucket's ID once it exists in AWS. */
  readonly id?: string;
  /** With aws.enabled, whether the bucket is as asked for. */
  readonly ready?: boolean;
}

export interface CelldStackStatusPodIdentity {
  /** ARN of the IAM role. */
  readonly roleArn?: string;
  /** ID of the Pod Identity association. */
  readonly associationId?: string;
  /** Whether pods that start now get the role. */
  readonly ready?: boolean;
}

export interface CelldStackStatusFleet {
  /** Nodes that are wanted. */
  readonly nodes?: number;
  /** Nodes that were ready when last observed. */
  readonly readyNodes?: number;
  /** celld release the nodes ran when last observed. */
  readonly version?: string;
}

/** Types, defaults and bounds of the spec, without descriptions and rules. */
export const SPEC_SCHEMA = {
  "type": "object",
  "required": [
    "clusterName"
  ],
  "properties": {
    "clusterName": {
      "type": "string",
      "minLength": 1,
      "maxLength": 100,
      "pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]*$"
    },
    "namespace": {
      "type": "string",
      "default": "celld",
      "maxLength": 63,
      "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"
    },
    "createNamespace": {
      "type": "boolean",
      "default": true
    },
    "releaseName": {
      "type": "string",
      "maxLength": 253,
      "pattern": "^[a-z]([a-z0-9-]*[a-z0-9])?$"
    },
    "chartVersion": {
      "type": "string",
      "default": "0.3.1",
      "maxLength": 64,
      "pattern": "^v?[0-9]+\\.[0-9]+\\.[0-9]+([-+][0-9A-Za-z.+-]+)?$"
    },
    "chartRepository": {
      "type": "string",
      "maxLength": 1024,
      "pattern": "^(https?|oci)://[^\\s]+$"
    },
    "chartUrl": {
      "type": "string",
      "maxLength": 2048,
      "pattern": "^(https?|oci)://[^\\s]+$"
    },
    "image": {
      "type": "object",
      "default": {},
      "properties": {
        "repository": {
          "type": "string",
          "default": "ghcr.io/denoland/celld",
          "minLength": 1,
          "maxLength": 255,
          "pattern": "^[a-z0-9]([a-zA-Z0-9._/:-]*[a-zA-Z0-9])?$"
        },
        "tag": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256,
          "pattern": "^[A-Za-z0-9_][A-Za-z0-9_.-]*(@sha256:[a-f0-9]{64})?$"
        },
        "pullPolicy": {
          "type": "string",
          "enum": [
            "Always",
            "IfNotPresent",
            "Never"
          ],
          "default": "IfNotPresent"
        }
      }
    },
    "replicaCount": {
      "type": "integer",
      "default": 1,
      "minimum": 1,
      "maximum": 1000
    },
    "bucket": {
      "type": "string",
      "maxLength": 1024
    },
    "endpoint": {
      "type": "string",
      "maxLength": 1024,
      "pattern": "^https?://[^\\s/]+(/[^\\s]*)?$"
    },
    "region": {
      "type": "string",
      "default": "us-east-2",
      "minLength": 1,
      "maxLength": 64,
      "pattern": "^[a-z0-9-]+$"
    },
    "credentials": {
      "type": "object",
      "properties": {
        "existingSecret": {
          "type": "string",
          "minLength": 1,
          "maxLength": 253,
          "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"
        },
        "googleServiceAccount": {
          "type": "object",
          "required": [
            "secretName"
          ],
          "properties": {
            "secretName": {
              "type": "string",
              "minLength": 1,
              "maxLength": 253,
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"
            },
            "key": {
              "type": "string",
              "default": "key.json",
              "minLength": 1,
              "maxLength": 253,
              "pattern": "^[A-Za-z0-9._-]+$"
            }
          }
        }
      }
    },
    "azure": {
      "type": "object",
      "properties": {
        "accountName": {
          "type": "string",
          "maxLength": 24,
          "pattern": "^[a-z0-9]{3,24}$"
        },
        "clientId": {
          "type": "string",
          "maxLength": 64,
          "pattern": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
        }
      }
    },
    "durability": {
      "type": "string",
      "enum": [
        "fleet",
        "bucket"
      ]
    },
    "azurite": {
      "type": "object",
      "default": {},
      "properties": {
        "enabled": {
          "type": "boolean",
          "default": false
        },
        "container": {
          "type": "string",
          "default": "celld",
          "maxLength": 63,
          "pattern": "^[a-z0-9](-?[a-z0-9]){2,62}$"
        },
        "persistence": {
          "type": "object",
          "default": {},
          "properties": {
            "enabled": {
              "type": "boolean",
              "default": true
            },
            "size": {
              "type": "string",
              "default": "2Gi",
              "maxLength": 32,
              "pattern": "^([1-9][0-9]*|[0-9]+\\.[0-9]+)([KMGTPE]i|[kMGTPE])?$"
            },
            "storageClassName": {
              "type": "string",
              "maxLength": 253,
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"
            }
          }
        }
      }
    },
    "aws": {
      "type": "object",
      "default": {
        "enabled": false,
        "forceDestroy": false,
        "deletionPolicy": "Delete"
      },
      "properties": {
        "enabled": {
          "type": "boolean",
          "default": false
        },
        "bucketName": {
          "type": "string",
          "minLength": 3,
          "maxLength": 63,
          "pattern": "^[a-z0-9][a-z0-9.-]*[a-z0-9]$"
        },
        "region": {
          "type": "string",
          "default": "us-east-2",
          "maxLength": 32,
          "pattern": "^[a-z]{2}(-[a-z]+)+-[0-9]+$"
        },
        "rolePrefix": {
          "type": "string",
          "maxLength": 32,
          "pattern": "^[a-z0-9][a-z0-9.-]*$"
        },
        "permissionsBoundaryArn": {
          "type": "string",
          "maxLength": 256,
          "pattern": "^arn:[a-z-]+:iam::[0-9]{12}:policy/.+$"
        },
        "forceDestroy": {
          "type": "boolean",
          "default": false
        },
        "deletionPolicy": {
          "type": "string",
          "enum": [
            "Delete",
            "Orphan"
          ],
          "default": "Delete"
        },
        "kmsKeyArn": {
          "type": "string",
          "maxLength": 256,
          "pattern": "^arn:[a-z-]+:kms:[a-z0-9-]+:[0-9]{12}:key/.+$"
        },
        "podIdentity": {
          "type": "object",
          "default": {},
          "properties": {
            "enabled": {
              "type": "boolean",
              "default": true
            }
          }
        },
        "credentialsSecretRef": {
          "type": "object",
          "properties": {
            "name": {
              "type": "string",
              "default": "aws-creds",
              "minLength": 1,
              "maxLength": 253,
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"
            },
            "namespace": {
              "type": "string",
              "maxLength": 63,
              "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"
            },
            "key": {
              "type": "string",
              "default": "credentials",
              "minLength": 1,
              "maxLength": 253,
              "pattern": "^[A-Za-z0-9._-]+$"
            }
          }
        }
      }
    },
    "tags": {
      "type": "object",
      "additionalProperties": {
        "type": "string",
        "maxLength": 256
      }
    },
    "labels": {
      "type": "object",
      "additionalProperties": {
        "type": "string",
        "maxLength": 63,
        "pattern": "^([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?$"
      }
    },
    "managementPolicies": {
      "type": "array",
      "default": [
        "*"
      ],
      "items": {
        "type": "string",
        "enum": [
          "*",
          "Observe",
          "Create",
          "Update",
          "Delete",
          "LateInitialize"
        ]
      }
    },
    "providerConfigRefs": {
      "type": "object",
      "properties": {
        "helm": {
          "type": "object",
          "properties": {
            "name": {
              "type": "string",
              "minLength": 1,
              "maxLength": 253
            },
            "kind": {
              "type": "string",
              "enum": [
                "ProviderConfig",
                "ClusterProviderConfig"
              ]
            }
          }
        },
        "kubernetes": {
          "type": "object",
          "properties": {
            "name": {
              "type": "string",
              "minLength": 1,
              "maxLength": 253
            },
            "kind": {
              "type": "string",
              "enum": [
                "ProviderConfig",
                "ClusterProviderConfig"
              ]
            }
          }
        },
        "aws": {
          "type": "object",
          "properties": {
            "name": {
              "type": "string",
              "minLength": 1,
              "maxLength": 253
            },
            "kind": {
              "type": "string",
              "enum": [
                "ProviderConfig",
                "ClusterProviderConfig"
              ]
            }
          }
        }
      }
    },
    "helmProviderConfigRef": {
      "type": "object",
      "properties": {
        "name": {
          "type": "string",
          "minLength": 1,
          "maxLength": 253
        },
        "kind": {
          "type": "string",
          "enum": [
            "ProviderConfig",
            "ClusterProviderConfig"
          ]
        }
      }
    },
    "persistence": {
      "type": "object",
      "default": {
        "enabled": true,
        "size": "10Gi"
      },
      "properties": {
        "enabled": {
          "type": "boolean",
          "default": true
        },
        "size": {
          "type": "string",
          "default": "10Gi",
          "maxLength": 32,
          "pattern": "^([1-9][0-9]*|[0-9]+\\.[0-9]+)([KMGTPE]i|[kMGTPE])?$"
        },
        "storageClassName": {
          "type": "string",
          "maxLength": 253,
          "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"
        },
        "existingClaim": {
          "type": "string",
          "maxLength": 253,
          "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"
        }
      }
    },
    "serviceAccount": {
      "type": "object",
      "properties": {
        "annotations": {
          "type": "object",
          "additionalProperties": {
            "type": "string",
            "maxLength": 2048
          }
        }
      }
    },
    "dev": {
      "type": "object",
      "default": {},
      "properties": {
        "enabled": {
          "type": "boolean",
          "default": false
        },
        "hostPath": {
          "type": "string",
          "maxLength": 1024,
          "pattern": "^/.+$"
        },
        "mountPath": {
          "type": "string",
          "default": "/workspace",
          "maxLength": 1024,
          "pattern": "^/.+$"
        },
        "port": {
          "type": "integer",
          "default": 8080,
          "minimum": 1024,
          "maximum": 65535
        },
        "logs": {
          "type": "boolean",
          "default": true
        },
        "watch": {
          "type": "boolean",
          "default": true
        },
        "clean": {
          "type": "boolean",
          "default": false
        }
      }
    },
    "bootstrap": {
      "type": "object",
      "default": {},
      "properties": {
        "enabled": {
          "type": "boolean",
          "default": true
        }
      }
    },
    "upgrade": {
      "type": "object",
      "default": {},
      "properties": {
        "strategy": {
          "type": "string",
          "enum": [
            "Auto",
            "Rolling",
            "Recreate"
          ],
          "default": "Auto"
        }
      }
    },
    "telemetry": {
      "type": "object",
      "properties": {
        "endpoint": {
          "type": "string",
          "maxLength": 1024,
          "pattern": "^https?://[^\\s/]+(/[^\\s]*)?$"
        }
      }
    },
    "values": {
      "type": "object"
    },
    "overrideAllValues": {
      "type": "object"
    }
  }
} as const satisfies JsonObject;
