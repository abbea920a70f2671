{{/*
The processes of Parley: what tells one from another.
  rpc    its gRPC service, where it has one
  http   it answers the public
  calls  the services that it calls, each by `<NAME>_ADDRESS`
  env    which groups of variables it reads beside what every process reads (_env.tpl)
*/}}
{{- define "parley.services" -}}
gateway: {http: true, calls: [auth, knowledge, assistants, conversations], env: [secret, replies, public]}
auth: {rpc: parley.auth.v1.AuthService, env: [secret, firstAccount]}
knowledge: {rpc: parley.knowledge.v1.KnowledgeService, env: [secret, kafka, objects, crawl, openai, embeddings]}
assistants: {rpc: parley.assistants.v1.AssistantsService, calls: [knowledge, conversations], env: [secret, kafka, replies, openai, answers]}
conversations: {rpc: parley.conversations.v1.ConversationsService, env: [secret, kafka]}
trainer: {env: [kafka, objects, crawl, openai, embeddings]}
{{- end }}

{{/* Where every process listens. */}}
{{- define "parley.ports" -}}
{http: 8080, rpc: 50051, ops: 9090}
{{- end }}

{{/* The port with /healthz, /readyz and /metrics: the gateway has but one port. */}}
{{- define "parley.opsPort" -}}
{{- $ports := include "parley.ports" . | fromYaml -}}
{{- ternary $ports.http $ports.ops (hasKey . "http") -}}
{{- end }}

{{/* How long a process may take to end its work when it is told to stop, in seconds: above the longest reply. */}}
{{- define "parley.graceSeconds" -}}
{{- max (add .Values.replyTimeoutSeconds 5) 30 -}}
{{- end }}

{{/* The image of a service. Arguments: root, its name. */}}
{{- define "parley.image" -}}
{{- $root := index . 0 }}{{ $name := index . 1 -}}
{{- $default := printf "%s/parley-%s:%s" $root.Values.image.registry $name (default $root.Chart.AppVersion $root.Values.image.tag) -}}
{{- default $default (index $root.Values.services $name).image -}}
{{- end }}
