{{/* MongoDB. */}}

{{/* The Secret of the internal one. */}}
{{- define "parley.mongodb.secretName" -}}
{{- default (printf "%s-mongodb" (include "parley.fullname" .)) .Values.mongodb.internal.auth.existingSecret -}}
{{- end }}

{{/* The source of the variable MONGODB_URI of a service, or of what reads everything. Arguments: root, its name or nothing. */}}
{{- define "parley.mongodb.uriFrom" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}
{{- with $root.Values.mongodb -}}
{{- if not .internal.enabled -}}
{{- $own := index (.external.services | default dict) $name | default dict -}}
valueFrom: {secretKeyRef: {name: {{ $own.existingSecret | default .external.existingSecret }}, key: {{ $own.key | default .external.key }}}}
{{- else if .internal.auth.enabled -}}
valueFrom: {secretKeyRef: {name: {{ include "parley.mongodb.secretName" $root }}, key: {{ ternary (printf "%s-uri" $name) "uri" (not (empty $name)) }}}}
{{- else -}}
value: {{ printf "mongodb://%s-mongodb:27017/?w=1&journal=true" (include "parley.fullname" $root) | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* The Secret of the certificate that services show to an external one; empty if there is none. */}}
{{- define "parley.mongodb.tls" -}}
{{- if not .Values.mongodb.internal.enabled }}{{ dig "tls" "existingSecret" "" .Values.mongodb.external }}{{ end -}}
{{- end }}

{{- define "parley.mongodb.tlsDirectory" -}}
/etc/parley/mongodb
{{- end }}

{{/* Its address, with the password escaped according to RFC 3986. Arguments: root, user, password. */}}
{{- define "parley.mongodb.uri" -}}
{{- $password := index . 2 | urlquery | replace "+" "%20" -}}
{{- printf "mongodb://%s:%s@%s-mongodb:27017/?authSource=admin&w=1&journal=true" (index . 1) $password (include "parley.fullname" (index . 0)) -}}
{{- end }}

{{/* The databases that each service reads and writes, by the name of the service, which is the name of its user, too. */}}
{{- define "parley.mongodb.rights" -}}
{{- $prefix := .Values.mongodb.databasePrefix | default "parley" -}}
{{- range $name, $service := include "parley.services" . | fromYaml }}
{{- if has "mongodb" $service.env }}
{{- $databases := list (printf "%s_%s" $prefix ($service.database | default $name)) }}
{{- if and (has "kafka" $service.env) (not $.Values.kafka.enabled) }}{{ $databases = append $databases (printf "%s_bus" $prefix) }}{{ end }}
{{ $name }}: {{ toJson $databases }}
{{- end }}
{{- end }}
{{- end }}

{{/* Says `true` if there is an internal one with users. */}}
{{- define "parley.mongodb.users" -}}
{{- if and .Values.mongodb.internal.enabled .Values.mongodb.internal.auth.enabled }}true{{ end -}}
{{- end }}

{{/* Creates the users of the services, with what they may do now, each time that the pod starts. */}}
{{- define "parley.mongodb.usersContainer" -}}
{{- $secret := include "parley.mongodb.secretName" . -}}
name: users
image: {{ include "parley.storeImage" .Values.mongodb.internal | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
command:
  - bash
  - -c
  - |
    trap 'exit 0' TERM
    until mongosh --quiet --norc --nodb /etc/parley/mongodb-users.js; do sleep 2; done
    sleep infinity & wait
env:
  - {name: HOME, value: /tmp}
  - {name: RIGHTS, value: {{ include "parley.mongodb.rights" . | fromYaml | toJson | quote }}}
  - name: ROOT_PASSWORD
    valueFrom: {secretKeyRef: {name: {{ $secret }}, key: password}}
  {{- range $name, $_ := include "parley.mongodb.rights" . | fromYaml }}
  - name: {{ upper $name }}_URI
    valueFrom: {secretKeyRef: {name: {{ $secret }}, key: {{ $name }}-uri}}
  {{- end }}
resources:
  requests: {cpu: 10m, memory: 16Mi}
  limits: {memory: 384Mi}
securityContext: {{- include "parley.containerSecurity" false | nindent 2 }}
volumeMounts:
  - {name: users, mountPath: /etc/parley, readOnly: true}
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{- define "parley.mongodb.container" -}}
args: [--bind_ip_all]
env:
  # The shell that creates the user stores its history there.
  - {name: HOME, value: /tmp}
  {{- if .Values.mongodb.internal.auth.enabled }}
  - {name: MONGO_INITDB_ROOT_USERNAME, value: parley}
  - name: MONGO_INITDB_ROOT_PASSWORD
    valueFrom: {secretKeyRef: {name: {{ include "parley.mongodb.secretName" . }}, key: password}}
  {{- end }}
volumeMounts:
  - {name: data, mountPath: /data/db}
  - {name: tmp, mountPath: /tmp}
{{- end }}
