{{/*
Refuses values that contradict each other, in a sentence that says what to do. values.schema.json finds most of them before;
what only the cluster knows is found here alone.
*/}}
{{- define "parley.check" -}}
{{- include "parley.check.oneOf" (list "MongoDB" "mongodb" "existingSecret" .Values.mongodb.internal.enabled .Values.mongodb.external.existingSecret) }}
{{- include "parley.check.oneOf" (list "Kafka" "kafka" "brokers" .Values.kafka.internal.enabled .Values.kafka.external.brokers) }}
{{- include "parley.check.oneOf" (list "file store" "objects" "endpoint" .Values.objects.internal.enabled .Values.objects.external.endpoint) }}
{{- if and .Values.objects.external.endpoint (not .Values.objects.external.existingSecret) }}
  {{- fail "\n\nThe external file store has no keys: set objects.external.existingSecret to a Secret with access-key and secret-key.\n" }}
{{- end }}
{{- if and (or .Values.openai.model .Values.openai.embeddingModel) (not (or .Values.openai.baseUrl .Values.openai.existingSecret)) }}
  {{- fail "\n\nopenai names a model, but no server: set openai.existingSecret (a Secret with the API key), openai.baseUrl, or both.\n" }}
{{- end }}
{{- include "parley.check.secret" (list . .Values.secret.existingSecret "secret.existingSecret" (list "parley-secret")) }}
{{- include "parley.check.secret" (list . .Values.mongodb.external.existingSecret "mongodb.external.existingSecret" (list .Values.mongodb.external.key)) }}
{{- include "parley.check.secret" (list . .Values.objects.external.existingSecret "objects.external.existingSecret" (list "access-key" "secret-key")) }}
{{- include "parley.check.secret" (list . .Values.openai.existingSecret "openai.existingSecret" (list .Values.openai.key)) }}
{{- include "parley.check.password" . }}
{{- end }}

{{/* Exactly one of internal and external. Arguments: what it is, its values' name, what names an external one, both values. */}}
{{- define "parley.check.oneOf" -}}
{{- $internal := index . 3 }}{{ $external := index . 4 -}}
{{- if and $internal $external }}
  {{- fail (printf "\n\nBoth an internal and an external %s are set: remove %s.external.%s, or set %s.internal.enabled=false.\n" (index . 0) (index . 1) (index . 2) (index . 1)) }}
{{- else if not (or $internal $external) }}
  {{- fail (printf "\n\nThere is no %s: set %s.external.%s, or %s.internal.enabled=true.\n" (index . 0) (index . 1) (index . 2) (index . 1)) }}
{{- end }}
{{- end }}

{{/*
A Secret that the values name exists, with its keys. Only where there is a cluster to ask, which a namespace's own account
tells. Arguments: root, Secret, the value that names it, keys.
*/}}
{{- define "parley.check.secret" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}{{ $value := index . 2 }}{{ $namespace := $root.Release.Namespace -}}
{{- if and $name (lookup "v1" "ServiceAccount" $namespace "default") }}
  {{- $secret := lookup "v1" "Secret" $namespace $name }}
  {{- range $key := index . 3 }}
    {{- if not (hasKey (($secret).data | default dict) $key) }}
      {{- $lack := ternary (printf "has no key %s" $key) "does not exist" (not (empty $secret)) }}
      {{- fail (printf "\n\nThe Secret %s, which %s names, %s in the namespace %s. Make it first: kubectl create secret generic %s --namespace %s --from-literal=%s=...\n" $name $value $lack $namespace $name $namespace $key) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- end }}

{{/* MongoDB takes its password when its volume is new, and never again. */}}
{{- define "parley.check.password" -}}
{{- $given := .Values.mongodb.internal.auth.password -}}
{{- $name := printf "%s-mongodb" (include "parley.fullname" .) -}}
{{- if and .Values.mongodb.internal.enabled $given (ne $given (include "parley.kept" (list . $name "password" $given 1))) }}
  {{- fail (printf "\n\nMongoDB has got another password when it was installed (the Secret %s): leave mongodb.internal.auth.password empty, or set it to that one.\n" $name) }}
{{- end }}
{{- end }}
