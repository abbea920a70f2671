{{/* The servers that Parley needs, each one internal (a StatefulSet of one pod) or external. */}}
{{- define "parley.stores" -}}
mongodb: {portName: mongodb, port: 27017, ready: {tcpSocket: {port: 27017}}}
kafka: {portName: kafka, port: 9092, ready: {tcpSocket: {port: 9092}}}
objects: {portName: s3, port: 7070, ready: {httpGet: {path: /_health, port: 7070}}}
{{- end }}

{{/* Says `true` if a store runs in a pod of the chart's own. Arguments: root, store. */}}
{{- define "parley.internal" -}}
{{- $values := index (index . 0).Values (index . 1) -}}
{{- if and $values.internal.enabled (dig "enabled" true $values) }}true{{ end -}}
{{- end }}

{{- define "parley.secretName" -}}
{{- default (include "parley.fullname" .) .Values.secret.existingSecret -}}
{{- end }}

{{/* The image of a store: its digest, if the values name one, else its tag. Argument: the store's values. */}}
{{- define "parley.storeImage" -}}
{{- with .digest }}{{ printf "%s@%s" (regexReplaceAll ":[^/:]+$" (splitList "@" $.image | first) "") . }}{{ else }}{{ .image }}{{ end -}}
{{- end }}

{{/* MongoDB */}}

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

{{/* Kafka */}}

{{- define "parley.kafka.brokers" -}}
{{- $internal := printf "%s-kafka:9092" (include "parley.fullname" .) -}}
{{- ternary $internal .Values.kafka.external.brokers .Values.kafka.internal.enabled -}}
{{- end }}

{{/*
Prefix of topic and group names, at most 100 characters, so that releases can share a Kafka of yours. A release that already
uses that Kafka without a prefix continues without one: under other names it would not find its messages.
*/}}
{{- define "parley.kafka.prefix" -}}
{{- $prefix := dig "external" "prefix" "auto" .Values.kafka -}}
{{- if .Values.kafka.internal.enabled -}}
{{- else if ne $prefix "auto" }}{{ $prefix -}}
{{- else -}}
{{- $fullname := include "parley.fullname" . -}}
{{- $live := lookup "apps/v1" "Deployment" .Release.Namespace (printf "%s-trainer" $fullname) | default dict -}}
{{- $env := dict -}}
{{- range (dig "spec" "template" "spec" "containers" (list) $live | first | default dict).env }}{{ $_ := set $env .name (.value | default "") }}{{ end -}}
{{- $brokers := get $env "KAFKA_BROKERS" | default "none" -}}
{{- $unprefixed := not (or (hasKey $env "BUS_PREFIX") (has $brokers (list "none" (printf "%s-kafka:9092" $fullname)))) -}}
{{- $own := printf "%s.%s." .Release.Namespace $fullname -}}
{{- if gt (len $own) 100 }}{{ $own = printf "%s-%s." (trunc 92 $own) (sha256sum $own | trunc 6) }}{{ end -}}
{{- ternary "" $own $unprefixed -}}
{{- end -}}
{{- end }}

{{/* 16 bytes in base64. Never change it: Kafka refuses a volume that was formatted with another id. */}}
{{- define "parley.kafka.clusterId" -}}
{{- b64enc "parley-kafka-001" | trimSuffix "==" -}}
{{- end }}

{{- define "parley.kafka.properties" -}}
process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://:9092,CONTROLLER://:9093
advertised.listeners=PLAINTEXT://{{ include "parley.fullname" . }}-kafka:9092
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
controller.quorum.voters=1@localhost:9093
log.dirs=/data/kafka
# Parley creates its topics itself; each keeps messages for seven days.
auto.create.topics.enable=false
# One broker.
default.replication.factor=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
log.cleaner.dedupe.buffer.size=16777216
log.segment.bytes=67108864
{{- end }}

{{- define "parley.kafka.logging" -}}
appender.out.type=Console
appender.out.name=out
appender.out.layout.type=PatternLayout
appender.out.layout.pattern=%d{ISO8601} %p %m (%c{1})%n
rootLogger.level=warn
rootLogger.appenderRef.out.ref=out
{{- end }}

{{- define "parley.kafka.container" -}}
command:
  - sh
  - -ec
  - |
    /opt/kafka/bin/kafka-storage.sh format --ignore-formatted -t {{ include "parley.kafka.clusterId" . }} -c /etc/kafka-config/server.properties
    exec /opt/kafka/bin/kafka-server-start.sh /etc/kafka-config/server.properties
env:
  - {name: KAFKA_HEAP_OPTS, value: {{ .Values.kafka.internal.heap | quote }}}
  - {name: KAFKA_LOG4J_OPTS, value: -Dlog4j2.configurationFile=/etc/kafka-config/log4j2.properties}
  - {name: LOG_DIR, value: /tmp/logs}
  # Replaces the default, which logs each garbage collection to a file.
  - {name: EXTRA_ARGS, value: -name kafkaServer}
volumeMounts:
  - {name: data, mountPath: /data}
  - {name: config, mountPath: /etc/kafka-config, readOnly: true}
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{/* Objects */}}

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
