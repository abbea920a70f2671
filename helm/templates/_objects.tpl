{{/* The object store. */}}

{{- define "parley.objects.endpoint" -}}
{{- $internal := printf "http://%s-objects:7070" (include "parley.fullname" .) -}}
{{- ternary $internal .Values.objects.external.endpoint .Values.objects.internal.enabled -}}
{{- end }}

{{- define "parley.objects.secretName" -}}
{{- $internal := default (printf "%s-objects" (include "parley.fullname" .)) .Values.objects.internal.existingSecret -}}
{{- ternary $internal .Values.objects.external.existingSecret .Values.objects.internal.enabled -}}
{{- end }}

{{/* Says `true` if services get temporary keys by their roles. */}}
{{- define "parley.objects.role" -}}
{{- if and (not .Values.objects.internal.enabled) (eq (dig "credentials" "keys" .Values.objects.external) "role") }}true{{ end -}}
{{- end }}

{{/*
Changes when the secret key in the values changes. The key is hashed with Parley's own secret, so that nobody who may read pods
can guess it. Empty if either is unknown here; a Secret that the parent chart creates is unknown at installation.
*/}}
{{- define "parley.objects.rollout" -}}
{{- $name := .Values.secret.existingSecret -}}
{{- $salt := "" -}}
{{- if not $name }}{{ $salt = include "parley.kept" (list . (include "parley.fullname" .) "parley-secret" "" 64) -}}
{{- else if .Chart.IsRoot }}{{ $salt = include "parley.secretValue" (list . $name "parley-secret") }}{{ end -}}
{{- $key := .Values.objects.internal.secretKey -}}
{{- if and .Values.objects.internal.enabled $key $salt }}{{ printf "%s objects %s" $salt $key | sha256sum }}{{ end -}}
{{- end }}

{{/* The services that have a user in the internal one. All of them are there always, as the policies name them all. */}}
{{- define "parley.objects.users" -}}
[conversations, gateway, knowledge, mail, trainer]
{{- end }}

{{/* Writes the users of the services where the server looks for them. */}}
{{- define "parley.objects.usersContainer" -}}
{{- $secret := include "parley.objects.secretName" . -}}
name: users
image: {{ include "parley.storeImage" .Values.objects.internal | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
command:
  - sh
  - -ec
  - |
    separator=
    user() {
      case "$2" in *[[:cntrl:]\"\\]*)
        echo "The $1-secret-key has a quotation mark, a backslash or the end of a line: choose another." >&2
        exit 1
      esac
      printf '%s"%s":{"access":"%s","secret":"%s","role":"user"}' "$separator" "$1" "$1" "$2"
      separator=,
    }
    umask 077
    {
      printf '{"accessAccounts":{'
      {{- range $name := include "parley.objects.users" . | fromYamlArray }}
      user {{ $name }} "${{ upper $name }}_SECRET_KEY"
      {{- end }}
      printf '}}'
    } >/iam/users.json
env:
  {{- range $name := include "parley.objects.users" . | fromYamlArray }}
  - name: {{ upper $name }}_SECRET_KEY
    valueFrom: {secretKeyRef: {name: {{ $secret }}, key: {{ $name }}-secret-key}}
  {{- end }}
resources:
  requests: {cpu: 10m, memory: 16Mi}
  limits: {memory: 64Mi}
securityContext: {{- include "parley.containerSecurity" false | nindent 2 }}
volumeMounts:
  - {name: iam, mountPath: /iam}
{{- end }}

{{/* Has the internal one allow the services what they need, as its root user. Argument: root. */}}
{{- define "parley.objects.rightsContainer" -}}
name: rights
image: {{ include "parley.image" (list . "knowledge") | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
command: [node, packages/runtime/src/grant-rights.ts]
env:
  - {name: LOG_LEVEL, value: {{ .Values.logLevel }}}
  {{- range $key, $source := include "parley.env.objects" . | fromYaml }}
  - {{- merge (dict "name" $key) $source | toYaml | nindent 4 }}
  {{- end }}
resources:
  requests: {cpu: 50m, memory: 64Mi}
  limits: {memory: 256Mi}
securityContext: {{- include "parley.containerSecurity" .Values.writableRoot | nindent 2 }}
volumeMounts:
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{- define "parley.objects.container" -}}
{{- $secret := include "parley.objects.secretName" . -}}
args:
  {{- list "--port" ":7070" "--region" .Values.objects.external.region "--health" "/_health" "--quiet" "--keep-alive" "--noacl" "--iam-dir" "/iam" "posix" | toYaml | nindent 2 }}
  {{- if .Values.objects.internal.sidecar }}
  - --sidecar
  - /data/metadata
  {{- end }}
  - /data/objects
env:
  - name: ROOT_ACCESS_KEY
    valueFrom: {secretKeyRef: {name: {{ $secret }}, key: access-key}}
  - name: ROOT_SECRET_KEY
    valueFrom: {secretKeyRef: {name: {{ $secret }}, key: secret-key}}
volumeMounts:
  - {name: iam, mountPath: /iam}
  - {name: data, mountPath: /data/objects, subPath: objects}
  {{- if .Values.objects.internal.sidecar }}
  - {name: data, mountPath: /data/metadata, subPath: metadata}
  {{- end }}
  - {name: tmp, mountPath: /tmp}
{{- end }}
