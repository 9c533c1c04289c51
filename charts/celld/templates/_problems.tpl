{{/*
Everything that is wrong with the values, found before anything is rendered, each as one sentence that
says what to change. The JSON schema holds types and forms; here stands what it cannot say, or says badly.
No sentence prints a credential, nor a key that may be the rest of one.
*/}}

{{- define "celld.check" -}}
{{- $problems := concat
  (include "celld.rootProblems" . | fromJsonArray)
  (include "celld.formProblems" . | fromJsonArray)
  (include "celld.releaseProblems" . | fromJsonArray)
  (include "celld.storeProblems" . | fromJsonArray)
  (include "celld.credentialProblems" . | fromJsonArray)
  (include "celld.envProblems" . | fromJsonArray)
  (include "celld.nodeProblems" . | fromJsonArray)
-}}
{{- if $problems -}}
{{- fail (printf "\n\nthe values cannot work:\n  - %s\n" (join "\n  - " $problems)) -}}
{{- end -}}
{{- end -}}

{{/* The keys of values.yaml, and the one Helm adds. A test keeps them equal. */}}
{{- define "celld.rootKeys" -}}
affinity azure azurite bootstrap bootstrapPlaceholder celld commonLabels credentials dev expectation extraEnv extraEnvFrom extraVolumeMounts extraVolumes fullnameOverride global image imagePullSecrets internalService nameOverride networkPolicy nodeSelector persistence podAnnotations podDisruptionBudget podLabels podSecurityContext priorityClassName probes replicaCount resources securityContext server service serviceAccount shutdown telemetry terminationGracePeriodSeconds tolerations topologySpreadConstraints updateStrategy
{{- end -}}

{{/* Keys at the root that no template reads. Behind a cut credential they may be a part of it. */}}
{{- define "celld.rootProblems" -}}
{{- $problems := list -}}
{{- $known := include "celld.rootKeys" . | splitList " " -}}
{{- $unknown := list -}}
{{- range $key, $_ := .Values -}}
{{- if not (has $key $known) -}}
{{- $unknown = append $unknown $key -}}
{{- end -}}
{{- end -}}
{{- if and $unknown .Values.credentials.sharedCredentials -}}
{{- $problems = append $problems (printf "%d unknown keys at the root beside credentials.sharedCredentials: a text given with --set, or with set of a Release, ends at a comma; use credentials.sharedCredentialsSecret for a text that holds one" (len $unknown)) -}}
{{- else if $unknown -}}
{{- $problems = append $problems (printf "unknown keys at the root: %s; README.md lists those that exist" (sortAlpha $unknown | join ", ")) -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{/* Texts of a form of their own: what the schema would answer with a regular expression. */}}
{{- define "celld.formProblems" -}}
{{- $problems := list -}}
{{- $url := "^https?://[^\\s/]+(/\\S*)?$" -}}
{{- $name := "^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$" -}}
{{- $size := "^([0-9]+\\.)?[0-9]+([KMGTPE]i|[kMGTPE])?$" -}}
{{- $tag := "^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(@sha256:[0-9a-f]{64})?|sha256:[0-9a-f]{64})$" -}}
{{- $path := "^/\\S+$" -}}
{{- $forms := list
  (list "nameOverride" .Values.nameOverride "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" "a name of lower-case letters, digits and -")
  (list "image.repository" .Values.image.repository "^[a-z0-9]([a-zA-Z0-9._/:-]*[a-zA-Z0-9])?$" "an image without its tag, such as ghcr.io/denoland/celld")
  (list "image.tag" .Values.image.tag $tag "a tag such as 0.6.2, with an optional @sha256:... behind it")
  (list "bootstrap.image.tag" .Values.bootstrap.image.tag $tag "a tag, with an optional @sha256:... behind it")
  (list "azurite.image.tag" .Values.azurite.image.tag $tag "a tag, with an optional @sha256:... behind it")
  (list "celld.endpoint" .Values.celld.endpoint $url "a URL such as https://s3.example.com")
  (list "celld.region" .Values.celld.region "^[a-z0-9-]+$" "a region such as us-east-2")
  (list "telemetry.endpoint" .Values.telemetry.endpoint $url "a URL such as http://collector:4318")
  (list "persistence.size" .Values.persistence.size $size "a size such as 10Gi")
  (list "persistence.storageClassName" .Values.persistence.storageClassName $name "the name of a StorageClass")
  (list "persistence.existingClaim" .Values.persistence.existingClaim $name "the name of a PersistentVolumeClaim")
  (list "credentials.existingSecret" .Values.credentials.existingSecret $name "the name of a Secret")
  (list "credentials.sharedCredentialsSecret" .Values.credentials.sharedCredentialsSecret $name "the name of a Secret")
  (list "credentials.googleServiceAccount.secretName" .Values.credentials.googleServiceAccount.secretName $name "the name of a Secret")
  (list "azure.accountName" .Values.azure.accountName "^[a-z0-9]{3,24}$" "the name of a storage account: 3 to 24 lower-case letters and digits")
  (list "azure.clientId" .Values.azure.clientId "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" "the client ID of an identity, such as 11111111-2222-3333-4444-555555555555")
  (list "azurite.container" .Values.azurite.container "^[a-z0-9](-?[a-z0-9]){2,62}$" "the name of a container: 3 to 63 lower-case letters, digits and single -")
  (list "azurite.persistence.size" .Values.azurite.persistence.size $size "a size such as 2Gi")
  (list "azurite.persistence.storageClassName" .Values.azurite.persistence.storageClassName $name "the name of a StorageClass")
  (list "dev.hostPath" .Values.dev.hostPath $path "an absolute path")
  (list "dev.mountPath" .Values.dev.mountPath $path "an absolute path")
  (list "probes.path" .Values.probes.path "^/\\S*$" "a path such as /healthz")
  (list "server.host" .Values.server.host "^([0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$" "an IP address such as :: or 0.0.0.0")
  (list "serviceAccount.name" .Values.serviceAccount.name $name "the name of a ServiceAccount")
-}}
{{- range $forms -}}
{{- if and (index . 1) (not (regexMatch (index . 2) (index . 1))) -}}
{{- $problems = append $problems (printf "%s: %q is not %s" (index . 0) (index . 1) (index . 3)) -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "celld.releaseProblems" -}}
{{- $problems := list -}}
{{- $release := include "celld.release" . | fromJson -}}
{{- $line := $release.line -}}
{{- $tag := include "celld.tag" . -}}
{{- if eq $release.kind "unreadable" -}}
{{- if or (not .Values.probes.path) (kindIs "invalid" .Values.terminationGracePeriodSeconds) -}}
{{- $problems = append $problems (printf "image.tag: %q does not say which celld release it is: use a release such as %s, or set probes.path and terminationGracePeriodSeconds to what that image needs" $tag .Chart.AppVersion) -}}
{{- end -}}
{{- else -}}
{{- if not $line.internalListener -}}
{{- $problems = append $problems (printf "image.tag: celld %s has one listener for Workers and peers, which this chart cannot keep apart: use 0.2.0 or newer" $release.version) -}}
{{- end -}}
{{- if and .Values.telemetry.endpoint (eq $line.telemetry "none") -}}
{{- $problems = append $problems (printf "telemetry.endpoint: celld %s sends no telemetry: remove it, or use 0.2.0 or newer" $release.version) -}}
{{- end -}}
{{- if and .Values.dev.enabled (not $line.devCommand) -}}
{{- $problems = append $problems (printf "dev.enabled: celld %s has no dev command: use 0.4.0 or newer" $release.version) -}}
{{- end -}}
{{- $least := include "celld.leastGraceSeconds" . | int64 -}}
{{- $grace := include "celld.graceSeconds" . | int64 -}}
{{- if lt $grace $least -}}
{{- $problems = append $problems (printf "terminationGracePeriodSeconds: %d is too short: celld %s may take %d s to stop after a pause of %d s and would be killed while it hands its cells over: use at least %d, or remove it" $grace $release.version (div (add 999 (include "celld.drainMs" . | int64)) 1000) (int64 .Values.shutdown.preStopSeconds) $least) -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "celld.storeProblems" -}}
{{- $problems := list -}}
{{- $bucket := include "celld.bucket" . -}}
{{- $scheme := include "celld.scheme" . -}}
{{- $release := include "celld.release" . | fromJson -}}
{{- if .Values.dev.enabled -}}
{{- if or .Values.celld.bucket .Values.azurite.enabled -}}
{{- $problems = append $problems "dev.enabled: celld dev keeps its data in a store of its own: remove celld.bucket and azurite.enabled, or dev.enabled" -}}
{{- end -}}
{{- else if and (eq (include "celld.hasBucket" .) "false") (not .Values.celld.withoutBucket) -}}
{{- $problems = append $problems "celld.bucket: required: a node without a bucket answers 404 to everything: set it to s3://NAME, gs://NAME or az://CONTAINER; to try celld out set azurite.enabled or dev.enabled; or set celld.withoutBucket if that is what you want" -}}
{{- end -}}
{{- if $bucket -}}
{{- if not (has $scheme (list "s3" "gs" "az")) -}}
{{- $problems = append $problems (printf "celld.bucket: %q is not s3://NAME, gs://NAME or az://CONTAINER, each with an optional /PREFIX" $bucket) -}}
{{- else if not (regexMatch "^([A-Za-z0-9]+://)?[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9._-]+)*/?$" $bucket) -}}
{{- $problems = append $problems (printf "celld.bucket: %q: a name and a prefix may hold letters, digits and - _ . only" $bucket) -}}
{{- else if and (ne $release.kind "unreadable") (not (has $scheme $release.line.stores)) -}}
{{- $problems = append $problems (printf "celld.bucket: celld %s cannot use %s:// buckets: use a newer image.tag" $release.version $scheme) -}}
{{- end -}}
{{- if and .Values.celld.endpoint (ne $scheme "s3") -}}
{{- $problems = append $problems (printf "celld.endpoint: an endpoint belongs to an s3:// bucket, and celld refuses it with %s://: remove it" $scheme) -}}
{{- end -}}
{{- if .Values.azurite.enabled -}}
{{- if ne (regexReplaceAll "^az://([^/]*).*$" $bucket "${1}") .Values.azurite.container -}}
{{- $problems = append $problems (printf "azurite.enabled: Azurite holds az://%s, but celld.bucket is %q: a fleet has one store: remove one of the two" .Values.azurite.container $bucket) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.bootstrapPlaceholder (not .Values.bootstrap.enabled) (not .Values.dev.enabled) (eq (include "celld.hasBucket" .) "true") -}}
{{- $problems = append $problems "bootstrap.enabled: the placeholder is written by bootstrap: set bootstrapPlaceholder to false as well" -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{/* One kind of credentials, of the store's own family. celld takes the first or refuses to start. */}}
{{- define "celld.credentialProblems" -}}
{{- $problems := list -}}
{{- $scheme := include "celld.scheme" . -}}
{{- $annotations := default dict .Values.serviceAccount.annotations -}}
{{- $credentials := .Values.credentials -}}
{{- $kinds := list -}}
{{- if $credentials.existingSecret -}}
{{- $kinds = append $kinds "credentials.existingSecret" -}}
{{- end -}}
{{- range $key := list "sharedCredentials" "sharedCredentialsSecret" -}}
{{- if get $credentials $key -}}
{{- $kinds = append $kinds (printf "credentials.%s" $key) -}}
{{- if and $scheme (ne $scheme "s3") -}}
{{- $problems = append $problems (printf "credentials.%s: AWS credentials belong to an s3:// bucket: remove them" $key) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $credentials.googleServiceAccount.secretName -}}
{{- $kinds = append $kinds "credentials.googleServiceAccount.secretName" -}}
{{- if and $scheme (ne $scheme "gs") -}}
{{- $problems = append $problems "credentials.googleServiceAccount: a Google key file belongs to a gs:// bucket: remove it" -}}
{{- end -}}
{{- end -}}
{{- if and $scheme (or .Values.azure.accountName .Values.azure.clientId) (or (ne $scheme "az") .Values.azurite.enabled) -}}
{{- $problems = append $problems "azure: a storage account belongs to an az:// bucket of Azure itself: remove azure.accountName and azure.clientId" -}}
{{- end -}}
{{- if and (eq $scheme "s3") (hasKey $annotations "eks.amazonaws.com/role-arn") -}}
{{- $kinds = append $kinds "serviceAccount.annotations[eks.amazonaws.com/role-arn]" -}}
{{- end -}}
{{- if and (eq $scheme "gs") (hasKey $annotations "iam.gke.io/gcp-service-account") -}}
{{- $kinds = append $kinds "serviceAccount.annotations[iam.gke.io/gcp-service-account]" -}}
{{- end -}}
{{- if and (eq $scheme "az") .Values.azurite.enabled -}}
{{- $kinds = append $kinds "azurite.enabled" -}}
{{- else if eq (include "celld.usesAzureWorkloadIdentity" .) "true" -}}
{{- $kinds = append $kinds "serviceAccount.annotations[azure.workload.identity/client-id]" -}}
{{- if and .Values.azure.clientId (ne .Values.azure.clientId (get $annotations "azure.workload.identity/client-id")) -}}
{{- $kinds = append $kinds "azure.clientId" -}}
{{- end -}}
{{- else if and (eq $scheme "az") .Values.azure.clientId -}}
{{- $kinds = append $kinds "azure.clientId" -}}
{{- end -}}
{{- if gt (len $kinds) 1 -}}
{{- $problems = append $problems (printf "%s: one store, one kind of credentials: keep one of them" (join " and " $kinds)) -}}
{{- end -}}
{{- if and (eq $scheme "az") (not .Values.azurite.enabled) (not .Values.azure.accountName) (not $credentials.existingSecret) (not .Values.extraEnvFrom) -}}
{{- $named := false -}}
{{- range .Values.extraEnv -}}
{{- if eq .name "AZURE_STORAGE_ACCOUNT_NAME" -}}
{{- $named = true -}}
{{- end -}}
{{- end -}}
{{- if not $named -}}
{{- $problems = append $problems "azure.accountName: required: an az:// bucket names the container only: set the storage account" -}}
{{- end -}}
{{- end -}}
{{- if $credentials.sharedCredentials -}}
{{- $found := include "celld.sharedCredentials" . | fromJson -}}
{{- range $key := list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" -}}
{{- if not (hasKey $found $key) -}}
{{- $problems = append $problems (printf "credentials.sharedCredentials: no line \"%s = ...\" under [default]: give the whole file; a text given with --set, or with set of a Release, ends at a comma and loses its backslashes" (lower $key)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{/* extraEnv: names the release refuses, names that belong to other values, and empty values. */}}
{{- define "celld.envProblems" -}}
{{- $problems := list -}}
{{- $release := include "celld.release" . | fromJson -}}
{{- $instead := dict "CELLD_ADDR" "server.host and server.httpPort" "CELLD_INTERNAL_ADDR" "server.host and server.internalPort" "CELLD_ADVERTISE" "server.internalPort" "POD_NAME" "another name" -}}
{{- range .Values.extraEnv -}}
{{- $name := .name -}}
{{- if hasKey $instead $name -}}
{{- $problems = append $problems (printf "extraEnv: %s is set by the chart: use %s" $name (get $instead $name)) -}}
{{- end -}}
{{- if and (hasPrefix "CELLD_" $name) (not .value) (not .valueFrom) -}}
{{- $problems = append $problems (printf "extraEnv: %s is empty, which celld takes for a wrong value and not for none: remove it" $name) -}}
{{- end -}}
{{- if ne $release.kind "unreadable" -}}
{{- range $refused := $release.line.refusedVariables -}}
{{- if or (eq $name $refused) (and (hasSuffix "*" $refused) (hasPrefix (trimSuffix "*" $refused) $name)) -}}
{{- $problems = append $problems (printf "extraEnv: celld %s does not start with %s: remove it" $release.version $name) -}}
{{- end -}}
{{- end -}}
{{- $drain := $release.line.drain -}}
{{- if and $drain (eq $name $drain.variable) -}}
{{- if $.Values.shutdown.boundSeconds -}}
{{- $problems = append $problems (printf "extraEnv: %s and shutdown.boundSeconds say the same: remove one of them" $name) -}}
{{- end -}}
{{- if not (regexMatch "^[1-9][0-9]{0,9}$" (default "" .value)) -}}
{{- $problems = append $problems (printf "extraEnv: %s must be given as a value in milliseconds, since the grace depends on it" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "celld.nodeProblems" -}}
{{- $problems := list -}}
{{- $several := gt (int64 .Values.replicaCount) 1 -}}
{{- if and $several .Values.dev.enabled -}}
{{- $problems = append $problems "replicaCount: celld dev is one process with a store of its own: use 1" -}}
{{- end -}}
{{- if and $several .Values.persistence.existingClaim -}}
{{- $problems = append $problems "persistence.existingClaim: one claim cannot be shared by several nodes: use replicaCount 1, or remove it so that each node gets a claim of its own" -}}
{{- end -}}
{{- if and $several (eq .Values.celld.durability "fleet") (not .Values.persistence.enabled) -}}
{{- $problems = append $problems "celld.durability: fleet acknowledges writes from the nodes' disks: set persistence.enabled to true, or use bucket" -}}
{{- end -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" (include "celld.fullname" .)) -}}
{{- $problems = append $problems (printf "fullnameOverride: required: the name %q cannot be that of a Service, which begins with a letter and has no dots" (include "celld.fullname" .)) -}}
{{- end -}}
{{- if and (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) -}}
{{- $problems = append $problems "serviceAccount.name: required when serviceAccount.create is false: name the account that exists, for example default" -}}
{{- end -}}
{{- range $key, $_ := .Values.podLabels -}}
{{- if has $key (list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component") -}}
{{- $problems = append $problems (printf "podLabels: %s is how the chart finds its pods: use another label" $key) -}}
{{- end -}}
{{- end -}}
{{- if eq (int64 .Values.server.httpPort) (int64 .Values.server.internalPort) -}}
{{- $problems = append $problems "server.internalPort: must differ from server.httpPort" -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}
