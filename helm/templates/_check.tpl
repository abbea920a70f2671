{{/*
Refuses contradictory values with a message that says what to do. values.schema.json catches most of them first; anything that
needs a look into the cluster is checked only here.
*/}}
{{- define "parley.check" -}}
{{- include "parley.check.oneOf" (list "MongoDB" "mongodb" "existingSecret" .Values.mongodb.internal.enabled .Values.mongodb.external.existingSecret) }}
{{- if .Values.kafka.enabled }}{{ include "parley.check.oneOf" (list "Kafka" "kafka" "brokers" .Values.kafka.internal.enabled .Values.kafka.external.brokers) }}{{ end }}
{{- with .Values.kafka.external }}
  {{- if ne (empty .sasl.mechanism) (empty .sasl.existingSecret) }}
    {{- fail "\n\nTo sign in to Kafka takes both: set kafka.external.sasl.mechanism and kafka.external.sasl.existingSecret, a Secret with username and password.\n" }}
  {{- end }}
  {{- if and .sasl.mechanism (not .tls) }}
    {{- fail "\n\nKafka's password would travel in plain text: set kafka.external.tls=true.\n" }}
  {{- end }}
{{- end }}
{{- include "parley.check.oneOf" (list "file store" "objects" "endpoint" .Values.objects.internal.enabled .Values.objects.external.endpoint) }}
{{- if and .Values.objects.external.endpoint (not .Values.objects.external.existingSecret) (not (include "parley.objects.role" .)) }}
  {{- fail "\n\nThe external file store has no keys: set objects.external.existingSecret to a Secret with access-key and secret-key, or objects.external.credentials to role.\n" }}
{{- end }}
{{- if and (or .Values.openai.model .Values.openai.embeddingModel) (not (or .Values.openai.baseUrl .Values.openai.existingSecret)) }}
  {{- fail "\n\nopenai names a model, but no server: set openai.existingSecret (a Secret with the API key), openai.baseUrl, or both.\n" }}
{{- end }}
{{- if and .Values.mail.domain (not .Values.mail.smtp.existingSecret) }}
  {{- fail "\n\nmail.domain is set, but no server to send through: set mail.smtp.existingSecret to a Secret with its address under smtp-url, such as smtps://user:password@smtp.example.com:465.\n" }}
{{- end }}
{{- if and .Chart.IsRoot (eq (toString .Values.enabled) "false") }}
  {{- fail "\n\nenabled=false says to a parent chart that Parley is not wanted; here it would be installed all the same. Remove the value.\n" }}
{{- end }}
{{- range $key := list "ingress" "httpRoute" }}
  {{- $way := index $.Values $key }}
  {{- if and $way.enabled (not (or $way.trustedProxies (hasKey ($.Values.services.gateway.env | default dict) "TRUSTED_PROXIES"))) }}
    {{- fail (printf "\n\nBehind a proxy all clients would share one address, and whoever guesses keys would slow down everybody: set %s.trustedProxies to the networks of the proxy, usually the cluster's pod network (10.42.0.0/16, for example), or to none if that is what you want.\n" $key) }}
  {{- end }}
{{- end }}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) }}
  {{- fail "\n\nAn HTTPRoute needs a Gateway: set httpRoute.parentRefs, for example to [{name: my-gateway, namespace: gateways}].\n" }}
{{- end }}
{{- $cas := .Values.caCertificates | default dict }}
{{- if and $cas.configMap $cas.secret }}
  {{- fail "\n\nCA certificates come from one place: set caCertificates.configMap or caCertificates.secret, not both.\n" }}
{{- end }}
{{- include "parley.check.there" (list . "ConfigMap" $cas.configMap "caCertificates.configMap" (list $cas.key)) }}
{{- include "parley.check.there" (list . "Secret" $cas.secret "caCertificates.secret" (list $cas.key)) }}
{{- include "parley.check.there" (list . "Secret" .Values.secret.existingSecret "secret.existingSecret" (list "parley-secret")) }}
{{- $userKeys := ternary (list "uri") list .Values.backup.enabled }}
{{- range $user, $_ := include "parley.mongodb.rights" . | fromYaml }}{{ $userKeys = append $userKeys (printf "%s-uri" $user) }}{{ end }}
{{- include "parley.check.there" (list . "Secret" .Values.mongodb.internal.auth.existingSecret "mongodb.internal.auth.existingSecret" (prepend $userKeys "password")) }}
{{- $objectKeys := list "access-key" "secret-key" }}
{{- range $user := include "parley.objects.users" . | fromYamlArray }}{{ $objectKeys = append $objectKeys (printf "%s-secret-key" $user) }}{{ end }}
{{- include "parley.check.there" (list . "Secret" .Values.objects.internal.existingSecret "objects.internal.existingSecret" $objectKeys) }}
{{- include "parley.check.there" (list . "Secret" .Values.mongodb.external.existingSecret "mongodb.external.existingSecret" (list .Values.mongodb.external.key)) }}
{{- include "parley.check.there" (list . "Secret" (include "parley.mongodb.tls" .) "mongodb.external.tls.existingSecret" (list "tls.crt" "tls.key")) }}
{{- range $name, $of := .Values.objects.external.services }}
  {{- include "parley.check.there" (list $ "Secret" $of.existingSecret (printf "objects.external.services.%s.existingSecret" $name) (list "access-key" "secret-key")) }}
{{- end }}
{{- range $name, $of := .Values.mongodb.external.services }}
  {{- include "parley.check.there" (list $ "Secret" $of.existingSecret (printf "mongodb.external.services.%s.existingSecret" $name) (list ($of.key | default $.Values.mongodb.external.key))) }}
{{- end }}
{{- include "parley.check.there" (list . "Secret" .Values.objects.external.existingSecret "objects.external.existingSecret" (list "access-key" "secret-key")) }}
{{- include "parley.check.there" (list . "Secret" .Values.kafka.external.sasl.existingSecret "kafka.external.sasl.existingSecret" (list "username" "password")) }}
{{- include "parley.check.there" (list . "Secret" .Values.openai.existingSecret "openai.existingSecret" (list .Values.openai.key)) }}
{{- include "parley.check.there" (list . "Secret" .Values.mail.smtp.existingSecret "mail.smtp.existingSecret" (list .Values.mail.smtp.key)) }}
{{- include "parley.check.there" (list . "Secret" .Values.mail.tls.existingSecret "mail.tls.existingSecret" (list "tls.crt" "tls.key")) }}
{{- include "parley.check.there" (list . "Secret" .Values.mail.dkim.existingSecret "mail.dkim.existingSecret" (list .Values.mail.dkim.key)) }}
{{- include "parley.check.internalTls" . }}
{{- include "parley.check.password" . }}
{{- range $store, $_ := include "parley.stores" . | fromYaml }}
  {{- if include "parley.internal" (list $ $store) }}{{ include "parley.check.volume" (list $ $store) }}{{ end }}
{{- end }}
{{- end }}

{{/* Exactly one of internal and external. Arguments: its description, its key in the values, the key of an external one, both values. */}}
{{- define "parley.check.oneOf" -}}
{{- $internal := index . 3 }}{{ $external := index . 4 -}}
{{- if and $internal $external }}
  {{- fail (printf "\n\nBoth an internal and an external %s are set: remove %s.external.%s, or set %s.internal.enabled=false.\n" (index . 0) (index . 1) (index . 2) (index . 1)) }}
{{- else if not (or $internal $external) }}
  {{- fail (printf "\n\nThere is no %s: set %s.external.%s, or %s.internal.enabled=true.\n" (index . 0) (index . 1) (index . 2) (index . 1)) }}
{{- end }}
{{- end }}

{{/*
A Secret or ConfigMap that the values name must exist, with its keys. Checked only if there is a cluster, which the namespace's
default service account shows, and no parent chart, which may create it in the same release. Arguments: root, kind, name, the
value that names it, keys.
*/}}
{{- define "parley.check.there" -}}
{{- $root := index . 0 }}{{ $kind := index . 1 }}{{ $name := index . 2 }}{{ $value := index . 3 }}{{ $namespace := $root.Release.Namespace -}}
{{- if and $name $root.Chart.IsRoot (lookup "v1" "ServiceAccount" $namespace "default") }}
  {{- $object := lookup "v1" $kind $namespace $name }}
  {{- range $key := index . 4 }}
    {{- if not (hasKey (($object).data | default dict) $key) }}
      {{- $lack := ternary (printf "has no key %s" $key) "does not exist" (not (empty $object)) }}
      {{- $create := ternary "secret generic" "configmap" (eq $kind "Secret") }}
      {{- $content := ternary (printf "--from-literal=%s=..." $key) (printf "--from-file=%s=..." $key) (eq $kind "Secret") }}
      {{- fail (printf "\n\nThe %s %s, which %s names, %s in the namespace %s. Make it first: kubectl create %s %s --namespace %s %s\n" $kind $name $value $lack $namespace $create $name $namespace $content) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Kubernetes does not let an upgrade change a StatefulSet's volume claims. Arguments: root, store. */}}
{{- define "parley.check.volume" -}}
{{- $root := index . 0 }}{{ $store := index . 1 }}{{ $namespace := $root.Release.Namespace -}}
{{- $wanted := (index $root.Values $store).internal.persistence -}}
{{- $name := include "parley.statefulSetName" . -}}
{{- $live := lookup "apps/v1" "StatefulSet" $namespace $name | default dict -}}
{{- range $claim := dig "spec" "volumeClaimTemplates" (list) $live }}
  {{- $class := $claim.spec.storageClassName | default "" }}
  {{- if ne $class $wanted.storageClass }}
    {{- fail (printf "\n\nThe volume of %s has the storage class %q, and a volume can't change its class: set %s.internal.persistence.storageClass=%s.\n" $store $class $store ($class | default "\"\"")) }}
  {{- end }}
  {{- $size := $claim.spec.resources.requests.storage }}
  {{- $bytes := include "parley.bytes" $size | float64 }}{{ $wantedBytes := include "parley.bytes" $wanted.size | float64 }}
  {{- if lt $wantedBytes $bytes }}
    {{- fail (printf "\n\nThe volume of %s has %s, and a volume can't shrink: set %s.internal.persistence.size=%s.\n" $store $size $store $size) }}
  {{- else if gt $wantedBytes $bytes }}
    {{- $patch := printf `{"spec":{"resources":{"requests":{"storage":"%s"}}}}` $wanted.size }}
    {{- fail (printf "\n\nThe volume of %s has %s, and Kubernetes does not let an upgrade change that. If its storage class can expand volumes, give it %s by these two commands, which leave its pod running, and upgrade again; else set %s.internal.persistence.size=%s.\n\n  kubectl patch pvc data-%s-0 --namespace %s --patch '%s'\n  kubectl delete statefulset %s --namespace %s --cascade=orphan\n" $store $size $wanted.size $store $size $name $namespace $patch $name $namespace) }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Converts a Kubernetes quantity, which has several notations, to bytes. */}}
{{- define "parley.bytes" -}}
{{- $units := dict "" 1.0 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "Pi" 1125899906842624.0 "Ei" 1152921504606846976.0 -}}
{{- mulf (regexFind "^[0-9.]+" . | float64) (get $units (regexFind "[A-Za-z]*$" .)) | printf "%.0f" -}}
{{- end }}

{{/* MongoDB sets its password only when its volume is new. */}}
{{- define "parley.check.password" -}}
{{- $given := .Values.mongodb.internal.auth.password -}}
{{- $name := include "parley.mongodb.secretName" . -}}
{{- if and .Values.mongodb.internal.enabled $given (ne $given (include "parley.kept" (list . $name "password" $given 1))) }}
  {{- fail (printf "\n\nMongoDB has got another password when it was installed (the Secret %s): leave mongodb.internal.auth.password empty, or set it to that one.\n" $name) }}
{{- end }}
{{- end }}
