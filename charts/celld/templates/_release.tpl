{{/*
What the celld release of image.tag needs: its row of files/releases.gen.json, which is generated from
the catalog in src/celld/release-lines.ts.
*/}}

{{- define "celld.tag" -}}
{{- default .Chart.AppVersion .Values.image.tag -}}
{{- end -}}

{{/* repository:tag, or repository@digest for a tag that is a digest. Call with the image values. */}}
{{- define "celld.imageReference" -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else if hasPrefix "sha256:" .tag -}}
{{- printf "%s@%s" .repository .tag -}}
{{- else -}}
{{- printf "%s:%s" .repository .tag -}}
{{- end -}}
{{- end -}}

{{/*
JSON of kind (known, unknown, unreadable), version and line: the rule of readTag in
src/celld/releases.ts. An unknown version gets the line of the last known one before it.
*/}}
{{- define "celld.release" -}}
{{- $lines := (.Files.Get "files/releases.gen.json" | fromJson).lines -}}
{{- $tag := include "celld.tag" . -}}
{{- $kind := "unreadable" -}}
{{- $version := "" -}}
{{- $line := last $lines -}}
{{- if regexMatch "^v?(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-[A-Za-z0-9_.-]+)?(@sha256:[0-9a-f]{64})?$" $tag -}}
{{- $version = $tag | splitList "@" | first | trimPrefix "v" -}}
{{- $base := regexFind "^[0-9.]+" $version -}}
{{- $kind = "unknown" -}}
{{- $before := list -}}
{{- range $candidate := $lines -}}
{{- if has $version $candidate.versions -}}
{{- $kind = "known" -}}
{{- end -}}
{{- if semverCompare (printf "<=%s" $base) (first $candidate.versions) -}}
{{- $before = append $before $candidate -}}
{{- end -}}
{{- end -}}
{{- if $before -}}
{{- $line = last $before -}}
{{- end -}}
{{- end -}}
{{- dict "kind" $kind "version" $version "line" $line | toJson -}}
{{- end -}}

{{/* Milliseconds a stop may take: what extraEnv or shutdown.boundSeconds say, else the line's default. */}}
{{- define "celld.drainMs" -}}
{{- $drain := (include "celld.release" . | fromJson).line.drain -}}
{{- $ms := 0 -}}
{{- if $drain -}}
{{- $ms = int64 $drain.defaultMs -}}
{{- if .Values.shutdown.boundSeconds -}}
{{- $ms = mul 1000 (int64 .Values.shutdown.boundSeconds) -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- if and (eq .name $drain.variable) .value -}}
{{- $ms = int64 .value -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $ms -}}
{{- end -}}

{{/* The least safe grace: the line's own for its default bound, and as much more as is asked for. */}}
{{- define "celld.leastGraceSeconds" -}}
{{- $line := (include "celld.release" . | fromJson).line -}}
{{- $more := 0 -}}
{{- if $line.drain -}}
{{- $more = sub (include "celld.drainMs" . | int64) (int64 $line.drain.defaultMs) -}}
{{- end -}}
{{- $seconds := div (add $more 999) 1000 -}}
{{- if lt $more 0 -}}
{{- $seconds = div $more 1000 -}}
{{- end -}}
{{- add (int64 $line.leastGraceSeconds) $seconds (sub (int64 .Values.shutdown.preStopSeconds) 5) -}}
{{- end -}}

{{- define "celld.graceSeconds" -}}
{{- if kindIs "invalid" .Values.terminationGracePeriodSeconds -}}
{{- include "celld.leastGraceSeconds" . -}}
{{- else -}}
{{- int64 .Values.terminationGracePeriodSeconds -}}
{{- end -}}
{{- end -}}

{{- define "celld.healthPath" -}}
{{- default (include "celld.release" . | fromJson).line.healthPath .Values.probes.path -}}
{{- end -}}
