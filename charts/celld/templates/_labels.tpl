{{/*
Labels. Every selector names its component, so that no Service, PodDisruptionBudget or NetworkPolicy of
the fleet ever selects Azurite. Call with (dict "context" . "component" "celld").
*/}}

{{- define "celld.selectorLabels" -}}
app.kubernetes.io/name: {{ include "celld.name" .context | quote }}
app.kubernetes.io/instance: {{ .context.Release.Name | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* The labels of an object, never of a pod: what changes with the chart must not restart a node. */}}
{{- define "celld.labels" -}}
{{- $labels := include "celld.selectorLabels" . | fromYaml -}}
{{- $_ := set $labels "app.kubernetes.io/managed-by" .context.Release.Service -}}
{{- $_ := set $labels "helm.sh/chart" (printf "%s-%s" .context.Chart.Name .context.Chart.Version | replace "+" "_" | trunc 63) -}}
{{- $version := include "celld.tag" .context | splitList "@" | first | trunc 63 -}}
{{- if and (eq .component "celld") (regexMatch "^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$" $version) -}}
{{- $_ := set $labels "app.kubernetes.io/version" $version -}}
{{- end -}}
{{- mergeOverwrite (deepCopy (default dict .context.Values.commonLabels)) $labels | toYaml -}}
{{- end -}}

{{- define "celld.podLabels" -}}
{{- $labels := deepCopy (default dict .context.Values.podLabels) -}}
{{- if eq (include "celld.usesAzureWorkloadIdentity" .context) "true" -}}
{{- $_ := set $labels "azure.workload.identity/use" "true" -}}
{{- end -}}
{{- mergeOverwrite $labels (include "celld.selectorLabels" . | fromYaml) | toYaml -}}
{{- end -}}
