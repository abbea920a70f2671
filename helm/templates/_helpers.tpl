{{/* The chart's name or, as a dependency of another chart, its alias there, so that one release can contain it twice. */}}
{{- define "parley.name" -}}
{{- default .Chart.Name .Values.nameOverride -}}
{{- end }}

{{/*
What the names of all objects begin with: the release's name, which says parley. Names of Services have no dot and do not
begin with a digit. The limit of 45 leaves room for the longest suffix; it must stay, or releases lose their volumes.
*/}}
{{- define "parley.fullname" -}}
{{- $name := include "parley.name" . -}}
{{- $default := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- $fullname := default $default .Values.fullnameOverride | replace "." "-" -}}
{{- ternary (printf "parley-%s" $fullname) $fullname (regexMatch "^[0-9]" $fullname) | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{/*
The name of a store's StatefulSet. Kubernetes puts it and a hash of up to ten digits into one label of at most 63 characters:
a longer name is cut, and a hash keeps it unique. Arguments: root, store.
*/}}
{{- define "parley.statefulSetName" -}}
{{- $fullname := include "parley.fullname" (index . 0) }}{{ $store := index . 1 -}}
{{- $name := printf "%s-%s" $fullname $store -}}
{{- if gt (len $name) 52 -}}
{{- $kept := trunc (int (sub 52 (add (len $store) 8))) $fullname | trimSuffix "-" -}}
{{- $name = printf "%s-%s-%s" $kept (sha256sum $name | trunc 6) $store -}}
{{- end -}}
{{- $name -}}
{{- end }}

{{/* Merges maps; of a key that is in more than one, the last value wins. Arguments: the maps. */}}
{{- define "parley.overlay" -}}
{{- $all := dict -}}
{{- range $map := . }}{{ range $key, $value := $map }}{{ $_ := set $all $key $value }}{{ end }}{{ end -}}
{{- toYaml $all -}}
{{- end }}

{{/* The labels by which Deployments and Services select their pods. Arguments: root, component. */}}
{{- define "parley.selector" -}}
app.kubernetes.io/name: {{ include "parley.name" (index . 0) }}
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
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "parley.serviceAccountName" -}}
{{- default (include "parley.fullname" .) .Values.serviceAccount.name -}}
{{- end }}

{{/*
What all pods have in common, mostly required by the restricted Pod Security Standard, and where they may run. Arguments:
root, a service's or a store's values.
*/}}
{{- define "parley.podSpec" -}}
{{- $root := index . 0 }}{{ $values := index . 1 -}}
serviceAccountName: {{ $values.serviceAccountName | default (include "parley.serviceAccountName" $root) }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- with include "parley.runAs" $root }}
  runAsUser: {{ . }}
  runAsGroup: {{ . }}
  fsGroup: {{ . }}
  {{- end }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- range $key := list "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with index $values $key }}
{{ $key }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* The user and group of all pods; empty: the one that the cluster assigns, since OpenShift refuses any other. */}}
{{- define "parley.runAs" -}}
{{- $runAs := .Values.runAs | default "auto" | toString -}}
{{- $openShift := .Capabilities.APIVersions.Has "security.openshift.io/v1" -}}
{{- if eq $runAs "auto" }}{{ ternary "" "1000" $openShift }}{{ else if ne $runAs "assigned" }}{{ int64 .Values.runAs }}{{ end -}}
{{- end }}

{{/* Certificates of CAs that Node trusts in addition to its own. */}}
{{- define "parley.caDirectory" -}}
/etc/parley/ca
{{- end }}

{{/* The volume's source; empty if there are none. */}}
{{- define "parley.caSource" -}}
{{- with .Values.caCertificates -}}
{{- $items := list (dict "key" .key "path" "ca.crt") -}}
{{- if .configMap }}{{ dict "configMap" (dict "name" .configMap "items" $items) | toYaml -}}
{{- else if .secret }}{{ dict "secret" (dict "secretName" .secret "items" $items) | toYaml }}{{ end -}}
{{- end -}}
{{- end }}

{{/* Argument: whether the root file system is writable. */}}
{{- define "parley.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: {{ not . }}
capabilities: {drop: [ALL]}
{{- end }}

{{/*
The existing value if there is one, else the given one, else a random one, and the same throughout one rendering. Arguments: root, Secret, key,
given, how many characters.
*/}}
{{- define "parley.kept" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}{{ $key := index . 2 -}}
{{- $memory := get $root.Values "parleyKept" | default dict }}
{{- $_ := set $root.Values "parleyKept" $memory }}
{{- $id := printf "%s/%s" $name $key }}
{{- if not (hasKey $memory $id) }}
  {{- $kept := include "parley.secretValue" (list $root $name $key) }}
  {{- $_ := set $memory $id ($kept | default (index . 3) | default (randAlphaNum (index . 4))) }}
{{- end }}
{{- get $memory $id -}}
{{- end }}

{{/* A key of a Secret in the cluster; empty if there is none, or no cluster. Arguments: root, Secret, key. */}}
{{- define "parley.secretValue" -}}
{{- $secret := lookup "v1" "Secret" (index . 0).Release.Namespace (index . 1) | default dict -}}
{{- index ($secret.data | default dict) (index . 2) | default "" | b64dec -}}
{{- end }}
