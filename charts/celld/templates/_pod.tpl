{{/* Pieces of the pod: containers and volumes of a fleet node, and of `celld dev` in its place. */}}

{{/* Of what the chart itself renders: a change of it has to reach a running node. */}}
{{- define "celld.podAnnotations" -}}
{{- $annotations := deepCopy (default dict .Values.podAnnotations) -}}
{{- if eq (include "celld.makesCredentialsSecret" .) "true" -}}
{{- $_ := set $annotations "checksum/credentials" (include "celld.sharedCredentials" . | sha256sum) -}}
{{- end -}}
{{- if and .Values.azurite.enabled (not .Values.dev.enabled) -}}
{{- $_ := set $annotations "checksum/azurite" (include "celld.azuriteSecretData" . | sha256sum) -}}
{{- end -}}
{{- if eq (include "celld.devPlaceholder" .) "true" -}}
{{- $_ := set $annotations "checksum/dev" (include "celld.devConfigMapData" . | sha256sum) -}}
{{- end -}}
{{- with $annotations -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{- define "celld.initContainers" -}}
- name: bootstrap
  image: {{ include "celld.imageReference" .Values.bootstrap.image | quote }}
  imagePullPolicy: {{ .Values.bootstrap.image.pullPolicy }}
  {{- /* By the name it has in every image of ours: the image's own entrypoint is the function. */}}
  command:
    - celld-stack
    - bootstrap
  env:
    {{- include "celld.bootstrapEnv" . | nindent 4 }}
  {{- with include "celld.envFrom" . }}
  envFrom:
    {{- . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- toYaml .Values.securityContext | nindent 4 }}
  {{- with .Values.bootstrap.resources }}
  resources:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  volumeMounts:
    - name: tmp
      mountPath: /tmp
    {{- with include "celld.credentialMounts" . }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- with .Values.extraVolumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{- define "celld.readinessProbe" -}}
readinessProbe:
  httpGet:
    path: {{ include "celld.healthPath" . | quote }}
    port: http
  {{- omit .Values.probes.readiness "enabled" | toYaml | nindent 2 }}
{{- if .Values.probes.liveness.enabled }}
# TCP, never HTTP: the health path answers 503 in a drain and while a node joins.
livenessProbe:
  tcpSocket:
    port: http
  {{- omit .Values.probes.liveness "enabled" | toYaml | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "celld.nodeContainer" -}}
- name: celld
  image: {{ include "celld.imageReference" (dict "repository" .Values.image.repository "tag" (include "celld.tag" .) "digest" "") | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  {{- if .Values.credentials.sharedCredentialsSecret }}
  command:
    - /bin/sh
    - -c
    - |
      {{- .Files.Get "files/with-shared-credentials.sh" | nindent 6 }}
    - sh
    - /var/run/secrets/aws/credentials
    - /usr/local/bin/celld
  {{- end }}
  args:
    {{- include "celld.nodeArgs" . | nindent 4 }}
  ports:
    - name: http
      containerPort: {{ int64 .Values.server.httpPort }}
      protocol: TCP
    - name: internal
      containerPort: {{ int64 .Values.server.internalPort }}
      protocol: TCP
  env:
    {{- include "celld.nodeEnv" . | nindent 4 }}
  {{- with include "celld.envFrom" . }}
  envFrom:
    {{- . | nindent 4 }}
  {{- end }}
  {{- include "celld.readinessProbe" . | nindent 2 }}
  {{- if gt (int64 .Values.shutdown.preStopSeconds) 0 }}
  # celld refuses requests from the moment it is told to stop, so it is told a little after the
  # endpoints have been.
  lifecycle:
    preStop:
      exec:
        command:
          - sleep
          - {{ int64 .Values.shutdown.preStopSeconds | quote }}
  {{- end }}
  securityContext:
    {{- toYaml .Values.securityContext | nindent 4 }}
  {{- with .Values.resources }}
  resources:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  volumeMounts:
    - name: data
      mountPath: /var/lib/celld
    - name: tmp
      mountPath: /tmp
    {{- with include "celld.credentialMounts" . }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- with .Values.extraVolumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{/* The project is a folder of the machine, or the placeholder of the chart. */}}
{{- define "celld.devPlaceholder" -}}
{{- and .Values.dev.enabled (not .Values.dev.hostPath) -}}
{{- end -}}

{{- define "celld.devConfigMapData" -}}
{{- range $name := list "index.js" "wrangler.jsonc" }}
{{ $name }}: |
  {{- $.Files.Get (printf "files/placeholder/%s" $name) | trim | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "celld.devContainer" -}}
{{- $placeholder := eq (include "celld.devPlaceholder" .) "true" -}}
- name: celld
  image: {{ include "celld.imageReference" (dict "repository" .Values.image.repository "tag" (include "celld.tag" .) "digest" "") | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  args:
    - dev
    - {{ .Values.dev.mountPath | quote }}
    - --host
    - {{ .Values.server.host | quote }}
    - --port
    - {{ int64 .Values.dev.port | quote }}
    {{- if .Values.dev.logs }}
    - --logs
    {{- end }}
    {{- if or $placeholder (not .Values.dev.watch) }}
    - --no-watch
    {{- end }}
    {{- if .Values.dev.clean }}
    - --clean
    {{- end }}
  ports:
    - name: http
      containerPort: {{ int64 .Values.dev.port }}
      protocol: TCP
  {{- with .Values.extraEnv }}
  env:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.extraEnvFrom }}
  envFrom:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- include "celld.readinessProbe" . | nindent 2 }}
  securityContext:
    {{- toYaml .Values.securityContext | nindent 4 }}
  {{- with .Values.resources }}
  resources:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  volumeMounts:
    - name: project
      mountPath: {{ .Values.dev.mountPath | quote }}
    {{- if $placeholder }}
    # Single files, since celld refuses the symbolic links of a whole ConfigMap volume.
    {{- range $name := list "index.js" "wrangler.jsonc" }}
    - name: placeholder
      mountPath: {{ printf "%s/%s" (trimSuffix "/" $.Values.dev.mountPath) $name | quote }}
      subPath: {{ $name }}
      readOnly: true
    {{- end }}
    {{- end }}
    # The local store stays on the node's disk and never in the project's folder.
    - name: data
      mountPath: {{ printf "%s/.celld" (trimSuffix "/" .Values.dev.mountPath) | quote }}
      subPath: dev
    - name: tmp
      mountPath: /tmp
    {{- with .Values.extraVolumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{- define "celld.volumes" -}}
- name: tmp
  emptyDir: {}
{{- if .Values.persistence.existingClaim }}
- name: data
  persistentVolumeClaim:
    claimName: {{ .Values.persistence.existingClaim | quote }}
{{- else if not .Values.persistence.enabled }}
- name: data
  emptyDir: {}
{{- end }}
{{- if .Values.dev.enabled }}
- name: project
  {{- if .Values.dev.hostPath }}
  hostPath:
    path: {{ .Values.dev.hostPath | quote }}
    type: Directory
  {{- else }}
  emptyDir: {}
- name: placeholder
  configMap:
    name: {{ include "celld.devConfigMapName" . | quote }}
  {{- end }}
{{- else }}
{{- with include "celld.credentialVolumes" . }}
{{ . }}
{{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Soft, so that a fleet on a single machine still starts. celld knows no zones: spreading is up to us. */}}
{{- define "celld.topologySpread" -}}
{{- if kindIs "invalid" .Values.topologySpreadConstraints -}}
{{- $labels := include "celld.selectorLabels" (dict "context" . "component" "celld") | fromYaml -}}
{{- $constraints := list -}}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" -}}
{{- $constraints = append $constraints (dict "maxSkew" 1 "topologyKey" $key "whenUnsatisfiable" "ScheduleAnyway" "labelSelector" (dict "matchLabels" $labels)) -}}
{{- end -}}
{{- toYaml $constraints -}}
{{- else if .Values.topologySpreadConstraints -}}
{{- toYaml .Values.topologySpreadConstraints -}}
{{- end -}}
{{- end -}}

{{/* Where pods may run: the same for the fleet and for Azurite. */}}
{{- define "celld.scheduling" -}}
{{- range $key := list "nodeSelector" "tolerations" "imagePullSecrets" "priorityClassName" }}
{{- with index $.Values $key }}
{{ $key }}: {{ toJson . }}
{{- end }}
{{- end }}
{{- end -}}
