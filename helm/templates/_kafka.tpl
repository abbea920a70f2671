{{/* Kafka. */}}

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
