{{/* What the names of all objects begin with: the release's name, which says parley. */}}
{{- define "parley.fullname" -}}
{{- $name := ternary .Release.Name (printf "%s-parley" .Release.Name) (contains "parley" .Release.Name) -}}
{{- default $name .Values.fullnameOverride | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{/* What a Deployment, a Service and their pods find each other by. Arguments: root, component. */}}
{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* Arguments: root, component. */}}
{{- define "parley.labels" -}}
{{- $root := index . 0 -}}
{{ include "parley.selector" . }}
app.kubernetes.io/part-of: parley
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "parley.serviceAccountName" -}}
{{- default (include "parley.fullname" .) .Values.serviceAccount.name -}}
{{- end }}

{{/*
What all pods have in common, most of it asked for by the restricted Pod Security Standard, and where they may run. Arguments:
root, a service's or a store's values.
*/}}
{{- define "parley.podSpec" -}}
{{- $root := index . 0 }}{{ $values := index . 1 -}}
serviceAccountName: {{ include "parley.serviceAccountName" $root }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- range $key := list "nodeSelector" "tolerations" "affinity" }}
{{- with index $values $key }}
{{ $key }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* Argument: whether the root file system may be written to. */}}
{{- define "parley.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: {{ not . }}
capabilities: {drop: [ALL]}
{{- end }}

{{/* Kept as it is over upgrades, else as given, else random. Arguments: root, Secret, key, given, how many characters. */}}
{{- define "parley.kept" -}}
{{- $root := index . 0 -}}
{{- $secret := lookup "v1" "Secret" $root.Release.Namespace (index . 1) | default dict -}}
{{- $kept := index ($secret.data | default dict) (index . 2) -}}
{{- if $kept }}{{ $kept | b64dec }}{{ else }}{{ index . 3 | default (randAlphaNum (index . 4)) }}{{ end -}}
{{- end }}
