{{/*
The variables of a process, as a list for its container: those that it reads (_services.tpl), overridden by `env` in its
values, then `extraEnv`. Arguments: root, name, service.
*/}}
{{- define "parley.env" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}{{ $service := index . 2 -}}
{{- $values := index $root.Values.services $name -}}
{{- $env := include "parley.env.process" $root | fromYaml -}}
{{- range $group := $service.env }}
  {{- $env = merge (include (printf "parley.env.%s" $group) $root | fromYaml) $env }}
{{- end }}
{{- if has "mongodb" $service.env }}
  {{- $_ := set $env "MONGODB_URI" (include "parley.mongodb.uriFrom" (list $root $name) | fromYaml) }}
{{- end }}
{{- $secret := dig "services" $name "existingSecret" "" $root.Values.objects.external }}
{{- if and $secret (hasKey $env "MINIO_ACCESS_KEY") }}
  {{- range $key := list "access-key" "secret-key" }}
    {{- $from := dict "valueFrom" (dict "secretKeyRef" (dict "name" $secret "key" $key)) }}
    {{- $_ := set $env (printf "MINIO_%s" (upper $key | replace "-" "_")) $from }}
  {{- end }}
{{- end }}
{{- if and $root.Values.objects.internal.enabled (hasKey $env "MINIO_ACCESS_KEY") }}
  {{- $_ := set $env "MINIO_ACCESS_KEY" (dict "value" $name) }}
  {{- $key := dict "name" (include "parley.objects.secretName" $root) "key" (printf "%s-secret-key" $name) }}
  {{- $_ := set $env "MINIO_SECRET_KEY" (dict "valueFrom" (dict "secretKeyRef" $key)) }}
  {{- $_ := set $env "MINIO_AWAIT_RIGHTS" (dict "value" "true") }}
{{- end }}
{{- range $called := concat (default list $service.calls) (default list $service.asks) (default list $service.operates) }}
  {{- $address := printf "%s-%s:%v" (include "parley.fullname" $root) $called (include "parley.ports" $root | fromYaml).rpc }}
  {{- $_ := set $env (printf "%s_ADDRESS" (upper $called)) (dict "value" $address) }}
{{- end }}
{{- $ports := include "parley.ports" $root | fromYaml }}
{{- if hasKey $service "http" }}
  {{- if include "parley.gatewayTls" $root }}
    {{- range $key, $file := dict "CERT" "tls.crt" "KEY" "tls.key" }}
      {{- $_ := set $env (printf "HTTP_TLS_%s" $key) (dict "value" (printf "%s/%s" (include "parley.internalTls.directory" $root) $file)) }}
    {{- end }}
  {{- end }}
  {{- $_ := set $env "PORT" (dict "value" (toString $ports.http)) }}
{{- end }}
{{- $_ := set $env "OPS_PORT" (dict "value" (toString $ports.ops)) }}
{{- if hasKey $service "rpc" }}
  {{- $_ := set $env "RPC_PORT" (dict "value" (toString $ports.rpc)) }}
{{- end }}
{{- if include "parley.internalTls.used" (list $root $service) }}
  {{- $env = merge (include "parley.env.internalTls" $root | fromYaml) $env }}
  {{- if hasKey $service "rpc" }}
    {{- $_ := set $env "RPC_TLS_NAME" (dict "value" (printf "%s-%s" (include "parley.fullname" $root) $name)) }}
  {{- end }}
{{- end }}
{{- with $root.Values.tracing.endpoint }}
  {{- $_ := set $env "OTEL_EXPORTER_OTLP_ENDPOINT" (dict "value" .) }}
  {{- $_ := set $env "OTEL_SERVICE_NAME" (dict "value" (printf "parley-%s" $name)) }}
{{- end }}
{{- range $key, $value := $values.env }}
  {{- $_ := set $env $key (dict "value" (toString $value)) }}
{{- end }}
{{- range $values.extraEnv }}
  {{- $_ := unset $env .name }}
{{- end }}
{{- $list := list }}
{{- range $key, $source := $env }}
  {{- $list = append $list (merge (dict "name" $key) $source) }}
{{- end }}
{{- concat $list $values.extraEnv | toYaml }}
{{- end }}

{{- define "parley.env.process" -}}
LOG_LEVEL: {value: {{ .Values.logLevel }}}
GRACE_SECONDS: {value: {{ include "parley.graceSeconds" . | quote }}}
{{- if include "parley.caSource" . }}
NODE_EXTRA_CA_CERTS: {value: {{ include "parley.caDirectory" . }}/ca.crt}
{{- end }}
{{- end }}

{{- define "parley.env.internalTls" -}}
{{- if include "parley.internalTls.secret" . -}}
RPC_TLS_DIR: {value: {{ include "parley.internalTls.directory" . }}}
RPC_TLS_MODE: {value: {{ .Values.internalTls.mode }}}
{{- end }}
{{- end }}

{{- define "parley.env.mongodb" -}}
MONGODB_URI: {{- include "parley.mongodb.uriFrom" (list . "") | nindent 2 }}
{{- if include "parley.mongodb.tls" . }}
MONGODB_TLS_CERT: {value: {{ include "parley.mongodb.tlsDirectory" . }}/tls.crt}
MONGODB_TLS_KEY: {value: {{ include "parley.mongodb.tlsDirectory" . }}/tls.key}
{{- end }}
{{- with .Values.mongodb.databasePrefix }}
MONGODB_DATABASE_PREFIX: {value: {{ . | quote }}}
{{- end }}
{{- end }}

{{- define "parley.env.secret" -}}
PARLEY_SECRET: {valueFrom: {secretKeyRef: {name: {{ include "parley.secretName" . }}, key: parley-secret}}}
PARLEY_SECRET_NEXT: {valueFrom: {secretKeyRef: {name: {{ include "parley.secretName" . }}, key: parley-secret-next, optional: true}}}
PARLEY_SECRET_PREVIOUS: {valueFrom: {secretKeyRef: {name: {{ include "parley.secretName" . }}, key: parley-secret-previous, optional: true}}}
{{- end }}

{{- define "parley.env.pepper" -}}
PARLEY_KEY_PEPPER: {valueFrom: {secretKeyRef: {name: {{ include "parley.secretName" . }}, key: key-pepper, optional: true}}}
{{- end }}

{{- define "parley.env.firstAccount" -}}
FIRST_ACCOUNT_KEY: {valueFrom: {secretKeyRef: {name: {{ include "parley.secretName" . }}, key: first-account-key, optional: true}}}
FIRST_ACCOUNT_NAME: {value: {{ .Values.firstAccount.name | quote }}}
{{- end }}

{{- define "parley.env.kafka" -}}
{{- if .Values.kafka.enabled -}}
KAFKA_BROKERS: {value: {{ include "parley.kafka.brokers" . | quote }}}
{{- with .Values.kafka.external }}
{{- if .tls }}
KAFKA_TLS: {value: "true"}
{{- end }}
{{- with .sasl.existingSecret }}
KAFKA_SASL: {value: {{ $.Values.kafka.external.sasl.mechanism }}}
KAFKA_USERNAME: {valueFrom: {secretKeyRef: {name: {{ . }}, key: username}}}
KAFKA_PASSWORD: {valueFrom: {secretKeyRef: {name: {{ . }}, key: password}}}
{{- end }}
{{- end }}
{{- with include "parley.kafka.prefix" . }}
BUS_PREFIX: {value: {{ . | quote }}}
{{- end }}
{{- end }}
{{- end }}

{{- define "parley.env.objects" -}}
{{- $external := .Values.objects.external -}}
MINIO_ENDPOINT: {value: {{ include "parley.objects.endpoint" . | quote }}}
MINIO_BUCKET: {value: {{ $external.bucket | quote }}}
MINIO_REGION: {value: {{ $external.region | quote }}}
{{- if include "parley.objects.role" . }}
MINIO_CREDENTIALS: {value: role}
{{- else }}
{{- $secret := include "parley.objects.secretName" . }}
MINIO_ACCESS_KEY: {valueFrom: {secretKeyRef: {name: {{ $secret }}, key: access-key}}}
MINIO_SECRET_KEY: {valueFrom: {secretKeyRef: {name: {{ $secret }}, key: secret-key}}}
{{- end }}
{{- end }}

{{- define "parley.env.index" -}}
INDEX_DIR: {value: {{ include "parley.indexDirectory" . }}}
INDEX_DISK_MIB: {value: {{ .Values.index.diskMib | quote }}}
{{- end }}

{{/* Where builds are on local disk. */}}
{{- define "parley.indexDirectory" -}}
/index
{{- end }}

{{- define "parley.env.crawl" -}}
{{- $site := printf "%s-test:%v" (include "parley.fullname" .) (include "parley.ports" . | fromYaml).http -}}
{{- with compact (list .Values.crawl.allow (ternary $site "" .Values.test.site)) }}
CRAWL_ALLOW: {value: {{ join "," . | quote }}}
{{- end }}
{{- with .Values.crawl.deny }}
OUTBOUND_DENY: {value: {{ . | quote }}}
{{- end }}
{{- end }}

{{- define "parley.env.webhooks" -}}
{{- with .Values.webhooks.allow }}
OUTBOUND_ALLOW: {value: {{ . | quote }}}
{{- end }}
{{- end }}

{{- define "parley.env.replies" -}}
REPLY_TIMEOUT_SECONDS: {value: {{ .Values.replyTimeoutSeconds | quote }}}
{{- end }}

{{- define "parley.env.public" -}}
RATE_LIMIT_PER_MINUTE: {value: {{ .Values.rateLimitPerMinute | quote }}}
{{- if not (kindIs "invalid" .Values.accountRateLimitPerMinute) }}
ACCOUNT_RATE_LIMIT_PER_MINUTE: {value: {{ .Values.accountRateLimitPerMinute | quote }}}
{{- end }}
LINGER_SECONDS: {value: {{ min .Values.drainSeconds 5 | quote }}}
{{- $trusted := list }}
{{- range $way := list .Values.ingress .Values.httpRoute }}
  {{- if and $way.enabled (not (has $way.trustedProxies (list "" "none"))) }}{{ $trusted = append $trusted $way.trustedProxies }}{{ end }}
{{- end }}
{{- with $trusted }}
TRUSTED_PROXIES: {value: {{ uniq . | join "," | quote }}}
{{- end }}
{{- with include "parley.publicUrl" . }}
PUBLIC_URL: {value: {{ . | quote }}}
{{- end }}
{{- end }}

{{- define "parley.publicUrl" -}}
{{- $ingress := .Values.ingress -}}
{{- $scheme := ternary "https" "http" (not (empty $ingress.tls)) -}}
{{- $ingressUrl := ternary (printf "%s://%s" $scheme $ingress.host) "" (and $ingress.enabled (not (empty $ingress.host))) -}}
{{- default $ingressUrl .Values.gateway.publicUrl -}}
{{- end }}

{{- define "parley.env.mailDomain" -}}
{{- with .Values.mail.domain }}
MAIL_DOMAIN: {value: {{ . | quote }}}
{{- end }}
{{- end }}

{{- define "parley.env.mail" -}}
{{- $mail := .Values.mail -}}
MAIL_PORT: {value: {{ (include "parley.ports" . | fromYaml).smtp | quote }}}
SMTP_URL: {valueFrom: {secretKeyRef: {name: {{ $mail.smtp.existingSecret }}, key: {{ $mail.smtp.key }}}}}
{{- with $mail.trusted }}
MAIL_TRUSTED: {value: {{ . | quote }}}
{{- end }}
{{- if $mail.tls.existingSecret }}
MAIL_TLS_CERT: {value: {{ include "parley.mailDirectory" "tls" }}/tls.crt}
MAIL_TLS_KEY: {value: {{ include "parley.mailDirectory" "tls" }}/tls.key}
{{- end }}
{{- if $mail.dkim.existingSecret }}
MAIL_DKIM_KEY: {value: {{ include "parley.mailDirectory" "dkim" }}/{{ $mail.dkim.key }}}
MAIL_DKIM_SELECTOR: {value: {{ $mail.dkim.selector | quote }}}
{{- end }}
{{- with include "parley.publicUrl" . }}
PUBLIC_URL: {value: {{ . | quote }}}
{{- end }}
{{- end }}

{{/* Where the files of the Secret of mail are: tls or dkim. */}}
{{- define "parley.mailDirectory" -}}
/mail/{{ . }}
{{- end }}

{{- define "parley.env.openai" -}}
{{- with .Values.openai.existingSecret }}
OPENAI_API_KEY: {valueFrom: {secretKeyRef: {name: {{ . }}, key: {{ $.Values.openai.key }}}}}
{{- end }}
{{- with .Values.openai.baseUrl }}
OPENAI_BASE_URL: {value: {{ . | quote }}}
{{- end }}
{{- end }}

{{- define "parley.env.answers" -}}
{{- with .Values.openai.model }}
OPENAI_MODEL: {value: {{ . | quote }}}
{{- end }}
{{- end }}

{{- define "parley.env.embeddings" -}}
{{- with .Values.openai.embeddingModel }}
OPENAI_EMBEDDING_MODEL: {value: {{ . | quote }}}
{{- end }}
{{- with .Values.embeddings }}
EMBEDDINGS: {value: {{ . }}}
{{- end }}
{{- with .Values.embeddingLocalModel }}
EMBEDDING_LOCAL_MODEL: {value: {{ . }}}
{{- end }}
{{- end }}
