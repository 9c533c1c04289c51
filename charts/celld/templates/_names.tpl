{{/*
Names. The same rule as src/core/names.ts, so that the stack knows every name without asking:
a name that fits stays, a longer one is cut and ends in a hash of the whole.
*/}}

{{- define "celld.short" -}}
{{- $name := index . 0 -}}
{{- $max := int (index . 1) -}}
{{- if le (len $name) $max -}}
{{- $name -}}
{{- else -}}
{{- printf "%s-%s" (regexReplaceAll "-+$" (trunc (int (sub $max 9)) $name) "") (sha256sum $name | trunc 8) -}}
{{- end -}}
{{- end -}}

{{- define "celld.name" -}}
{{- include "celld.short" (list (default .Chart.Name .Values.nameOverride) 63) -}}
{{- end -}}

{{- define "celld.fullname" -}}
{{- $name := include "celld.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name -}}
{{- end -}}
{{- end -}}

{{- define "celld.serviceName" -}}
{{- include "celld.short" (list (include "celld.fullname" .) 63) -}}
{{- end -}}

{{- define "celld.internalServiceName" -}}
{{- include "celld.short" (list (printf "%s-internal" (include "celld.fullname" .)) 63) -}}
{{- end -}}

{{/* Pods carry the name with "-" and a hash of ten characters in their controller-revision-hash label. */}}
{{- define "celld.statefulSetName" -}}
{{- include "celld.short" (list (include "celld.fullname" .) 52) -}}
{{- end -}}

{{- define "celld.serviceAccountName" -}}
{{- default (include "celld.serviceName" .) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "celld.azuriteName" -}}
{{- include "celld.short" (list (printf "%s-azurite" (include "celld.fullname" .)) 63) -}}
{{- end -}}

{{- define "celld.credentialsSecretName" -}}
{{- include "celld.short" (list (printf "%s-credentials" (include "celld.fullname" .)) 63) -}}
{{- end -}}

{{- define "celld.devConfigMapName" -}}
{{- include "celld.short" (list (printf "%s-dev" (include "celld.fullname" .)) 63) -}}
{{- end -}}
