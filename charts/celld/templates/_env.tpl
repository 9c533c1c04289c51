{{/*
The environment of the two containers. An entry of extraEnv takes the place of the chart's own entry of
the same name, so that no name is listed twice; an empty value never appears.
*/}}

{{/* JSON list. Call with (dict "own" JSON-list "extra" list). */}}
{{- define "celld.mergedEnv" -}}
{{- $own := list -}}
{{- $names := list -}}
{{- range $entry := .own -}}
{{- $names = append $names $entry.name -}}
{{- range $.extra -}}
{{- if eq .name $entry.name -}}
{{- $entry = . -}}
{{- end -}}
{{- end -}}
{{- $own = append $own $entry -}}
{{- end -}}
{{- range .extra -}}
{{- if not (has .name $names) -}}
{{- $own = append $own . -}}
{{- end -}}
{{- end -}}
{{- toYaml $own -}}
{{- end -}}

{{/* [host]:port for an IPv6 host, host:port for an IPv4 one. Call with (list host port). */}}
{{- define "celld.address" -}}
{{- $host := index . 0 -}}
{{- if contains ":" $host -}}
{{- $host = printf "[%s]" $host -}}
{{- end -}}
{{- printf "%s:%d" $host (int64 (index . 1)) -}}
{{- end -}}

{{/*
Arguments rather than variables: with neither argument nor bucket celld prints its help. A DNS name is
advertised because peers find it again after a restart, and because celld refuses a public IPv6 address.
*/}}
{{- define "celld.nodeArgs" -}}
- --listen
- {{ include "celld.address" (list .Values.server.host .Values.server.httpPort) | quote }}
- --internal-listen
- {{ include "celld.address" (list .Values.server.host .Values.server.internalPort) | quote }}
- --advertise
- {{ printf "$(POD_NAME).%s.%s.svc:%d" (include "celld.internalServiceName" .) .Release.Namespace (int64 .Values.server.internalPort) | quote }}
{{- end -}}

{{- define "celld.nodeEnv" -}}
{{- $line := (include "celld.release" . | fromJson).line -}}
{{- $podName := dict "fieldRef" (dict "fieldPath" "metadata.name") -}}
{{- $env := list
  (dict "name" "POD_NAME" "valueFrom" $podName)
  (dict "name" "CELLD_NODE" "value" "$(POD_NAME)")
  (dict "name" "CELLD_WATCH" "value" "/var/lib/celld/state")
  (dict "name" "CELLD_DURABILITY" "value" (include "celld.durability" .))
-}}
{{- $env = concat $env (include "celld.storeEnv" . | fromJsonArray) -}}
{{- if and $line.drain .Values.shutdown.boundSeconds -}}
{{- $env = append $env (dict "name" $line.drain.variable "value" (mul 1000 (int64 .Values.shutdown.boundSeconds) | toString)) -}}
{{- end -}}
{{- $env = concat $env (include "celld.telemetryEnv" . | fromJsonArray) -}}
{{- include "celld.mergedEnv" (dict "own" $env "extra" .Values.extraEnv) -}}
{{- end -}}

{{/* JSON list: a collector's URL as the release line wants to be told. */}}
{{- define "celld.telemetryEnv" -}}
{{- $env := list -}}
{{- $selector := (include "celld.release" . | fromJson).line.telemetry -}}
{{- with .Values.telemetry.endpoint -}}
{{- if eq $selector "url" -}}
{{- $env = append $env (dict "name" "CELLD_OTEL" "value" .) -}}
{{- else -}}
{{- $env = append $env (dict "name" "CELLD_OTEL" "value" "1") -}}
{{- $env = append $env (dict "name" "CELLD_OTEL_SINK" "value" "otlp") -}}
{{- $env = append $env (dict "name" "OTEL_EXPORTER_OTLP_ENDPOINT" "value" .) -}}
{{- end -}}
{{- end -}}
{{- toJson $env -}}
{{- end -}}

{{- define "celld.bootstrapEnv" -}}
{{- $env := include "celld.storeEnv" . | fromJsonArray -}}
{{- if .Values.credentials.sharedCredentialsSecret -}}
{{- $env = append $env (dict "name" "AWS_SHARED_CREDENTIALS_FILE" "value" "/var/run/secrets/aws/credentials") -}}
{{- end -}}
{{- if eq (include "celld.wantsPlaceholder" .) "true" -}}
{{- $env = append $env (dict "name" "CELLD_STACK_PLACEHOLDER" "value" "1") -}}
{{- end -}}
{{- include "celld.mergedEnv" (dict "own" $env "extra" .Values.extraEnv) -}}
{{- end -}}

{{/* Without a bucket there is nothing to ready. */}}
{{- define "celld.runsBootstrap" -}}
{{- and .Values.bootstrap.enabled (not .Values.dev.enabled) (eq (include "celld.hasBucket" .) "true") -}}
{{- end -}}

{{- define "celld.wantsPlaceholder" -}}
{{- and .Values.bootstrapPlaceholder (or (not .Values.azurite.enabled) .Values.azurite.bootstrapPlaceholder) -}}
{{- end -}}
