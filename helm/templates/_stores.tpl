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
