{{/*
Where the fleet keeps its data and how it gets there: the bucket, and exactly the variables that celld
and bootstrap read for it. Both containers get the same ones.
*/}}

{{/* CELLD_BUCKET of extraEnv takes the place of the chart's own, as every entry does. */}}
{{- define "celld.bucket" -}}
{{- $named := "" -}}
{{- range .Values.extraEnv -}}
{{- if eq .name "CELLD_BUCKET" -}}
{{- $named = default "" .value -}}
{{- end -}}
{{- end -}}
{{- if $named -}}
{{- trim $named -}}
{{- else if .Values.celld.bucket -}}
{{- trim .Values.celld.bucket -}}
{{- else if and .Values.azurite.enabled (not .Values.dev.enabled) -}}
{{- printf "az://%s" .Values.azurite.container -}}
{{- end -}}
{{- end -}}

{{/* A bucket may also be named where the chart cannot read it: in a Secret or ConfigMap. */}}
{{- define "celld.hasBucket" -}}
{{- $has := ne (include "celld.bucket" .) "" -}}
{{- range .Values.extraEnv -}}
{{- if eq .name "CELLD_BUCKET" -}}
{{- $has = true -}}
{{- end -}}
{{- end -}}
{{- $has -}}
{{- end -}}

{{/* s3, gs, az, or empty without a bucket. A bucket without a scheme is S3. */}}
{{- define "celld.scheme" -}}
{{- $bucket := include "celld.bucket" . -}}
{{- if contains "://" $bucket -}}
{{- first (splitList "://" $bucket) -}}
{{- else if $bucket -}}
s3
{{- end -}}
{{- end -}}

{{- define "celld.usesAzureWorkloadIdentity" -}}
{{- $annotations := default dict .Values.serviceAccount.annotations -}}
{{- and (eq (include "celld.scheme" .) "az") (not .Values.azurite.enabled) (hasKey $annotations "azure.workload.identity/client-id") -}}
{{- end -}}

{{/* fleet acknowledges from several disks, so it needs several nodes with disks that survive them. */}}
{{- define "celld.durability" -}}
{{- if .Values.celld.durability -}}
{{- .Values.celld.durability -}}
{{- else if and (gt (int64 .Values.replicaCount) 1) .Values.persistence.enabled -}}
fleet
{{- else -}}
bucket
{{- end -}}
{{- end -}}

{{/*
JSON of the variables under [default] of credentials.sharedCredentials. The last line of a key counts
and a value ends at white space, as in the AWS SDKs.
*/}}
{{- define "celld.sharedCredentials" -}}
{{- $section := "" -}}
{{- $found := dict -}}
{{- range splitList "\n" .Values.credentials.sharedCredentials -}}
{{- $line := trim . -}}
{{- if hasPrefix "[" $line -}}
{{- $section = trimPrefix "[" $line | splitList "]" | first | trim -}}
{{- else if eq $section "default" -}}
{{- $key := regexFind "^aws_(access_key_id|secret_access_key|session_token)[ \t]*=" $line | trimSuffix "=" | trim -}}
{{- $value := regexFind "^\\S+" (regexReplaceAll "^[^=]*=\\s*" $line "") -}}
{{- if and $key $value -}}
{{- $_ := set $found (upper $key) $value -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

{{- define "celld.makesCredentialsSecret" -}}
{{- and (ne .Values.credentials.sharedCredentials "") (not .Values.dev.enabled) -}}
{{- end -}}

{{/* JSON list of env entries. */}}
{{- define "celld.storeEnv" -}}
{{- $scheme := include "celld.scheme" . -}}
{{- $env := list -}}
{{- with include "celld.bucket" . -}}
{{- $env = append $env (dict "name" "CELLD_BUCKET" "value" .) -}}
{{- end -}}
{{- if eq $scheme "s3" -}}
{{- with .Values.celld.region -}}
{{- $env = append $env (dict "name" "AWS_REGION" "value" .) -}}
{{- $env = append $env (dict "name" "AWS_DEFAULT_REGION" "value" .) -}}
{{- end -}}
{{- with .Values.celld.endpoint -}}
{{- $env = append $env (dict "name" "S3_ENDPOINT" "value" .) -}}
{{- end -}}
{{- else if eq $scheme "gs" -}}
{{- if .Values.credentials.googleServiceAccount.secretName -}}
{{- $env = append $env (dict "name" "GOOGLE_APPLICATION_CREDENTIALS" "value" "/var/run/secrets/google/key.json") -}}
{{- end -}}
{{- else if eq $scheme "az" -}}
{{- if .Values.azurite.enabled -}}
{{- $env = append $env (dict "name" "AZURE_STORAGE_USE_EMULATOR" "value" "true") -}}
{{- $env = append $env (dict "name" "AZURITE_BLOB_STORAGE_URL" "value" (include "celld.azuriteUrl" .)) -}}
{{- $env = append $env (dict "name" "AZURE_STORAGE_ACCOUNT_NAME" "value" .Values.azurite.accountName) -}}
{{- $env = append $env (dict "name" "AZURE_STORAGE_ACCOUNT_KEY" "valueFrom" (dict "secretKeyRef" (dict "name" (include "celld.azuriteName" .) "key" "AZURE_STORAGE_ACCOUNT_KEY"))) -}}
{{- else -}}
{{- with .Values.azure.accountName -}}
{{- $env = append $env (dict "name" "AZURE_STORAGE_ACCOUNT_NAME" "value" .) -}}
{{- end -}}
{{- if and .Values.azure.clientId (eq (include "celld.usesAzureWorkloadIdentity" .) "false") -}}
{{- $env = append $env (dict "name" "AZURE_CLIENT_ID" "value" .Values.azure.clientId) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $env -}}
{{- end -}}

{{- define "celld.azuriteUrl" -}}
{{- printf "http://%s.%s.svc:%d" (include "celld.azuriteName" .) .Release.Namespace (int64 .Values.azurite.blobPort) -}}
{{- end -}}

{{/* YAML list of envFrom sources: what holds credentials, then the user's own. */}}
{{- define "celld.envFrom" -}}
{{- $sources := list -}}
{{- with .Values.credentials.existingSecret -}}
{{- $sources = append $sources (dict "secretRef" (dict "name" .)) -}}
{{- end -}}
{{- if .Values.credentials.sharedCredentials -}}
{{- $sources = append $sources (dict "secretRef" (dict "name" (include "celld.credentialsSecretName" .))) -}}
{{- end -}}
{{- with concat $sources .Values.extraEnvFrom -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* YAML list of the volumes that hold credential files. */}}
{{- define "celld.credentialVolumes" -}}
{{- $volumes := list -}}
{{- with .Values.credentials.sharedCredentialsSecret -}}
{{- $items := list (dict "key" $.Values.credentials.sharedCredentialsKey "path" "credentials") -}}
{{- $volumes = append $volumes (dict "name" "aws-credentials" "secret" (dict "secretName" . "items" $items)) -}}
{{- end -}}
{{- with .Values.credentials.googleServiceAccount.secretName -}}
{{- $items := list (dict "key" $.Values.credentials.googleServiceAccount.key "path" "key.json") -}}
{{- $volumes = append $volumes (dict "name" "google-credentials" "secret" (dict "secretName" . "items" $items)) -}}
{{- end -}}
{{- with $volumes -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{- define "celld.credentialMounts" -}}
{{- $mounts := list -}}
{{- if .Values.credentials.sharedCredentialsSecret -}}
{{- $mounts = append $mounts (dict "name" "aws-credentials" "mountPath" "/var/run/secrets/aws" "readOnly" true) -}}
{{- end -}}
{{- if .Values.credentials.googleServiceAccount.secretName -}}
{{- $mounts = append $mounts (dict "name" "google-credentials" "mountPath" "/var/run/secrets/google" "readOnly" true) -}}
{{- end -}}
{{- with $mounts -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* JSON of the Secret that Azurite and its clients share. */}}
{{- define "celld.azuriteSecretData" -}}
{{- dict
  "AZURE_STORAGE_ACCOUNT_KEY" .Values.azurite.accountKey
  "AZURITE_ACCOUNTS" (printf "%s:%s" .Values.azurite.accountName .Values.azurite.accountKey)
  | toJson -}}
{{- end -}}
