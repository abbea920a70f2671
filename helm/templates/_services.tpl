{{/*
The processes of Parley, and how they differ. A test compares them with deploy/processes.ts.
  rpc    its gRPC service, if it has one
  http   it serves the public API
  smtp   it receives mail
  calls  the services that it calls, each at `<NAME>_ADDRESS`
  asks   those that it calls in the background, found likewise
  outbound  it reads addresses that users give, which are public ones
  operates  those that the operator's program in its image calls, which deletes accounts
  database  the database of its own, where that is named otherwise than the service
  env    the groups of variables that it reads besides those that every process reads (_env.tpl)
*/}}
{{- define "parley.services" -}}
gateway: {http: true, calls: [auth, knowledge, assistants, conversations, events], env: [mongodb, secret, objects, replies, public]}
auth: {rpc: parley.auth.v1.AuthService, operates: [assistants, conversations, knowledge, events], env: [mongodb, secret, pepper, kafka, firstAccount]}
knowledge: {database: corpus, rpc: parley.knowledge.v1.KnowledgeService, env: [mongodb, secret, kafka, objects, crawl, openai, embeddings, index]}
assistants: {rpc: parley.assistants.v1.AssistantsService, calls: [knowledge, conversations], env: [mongodb, secret, pepper, kafka, replies, openai, answers]}
conversations: {rpc: parley.conversations.v1.ConversationsService, asks: [assistants], env: [mongodb, secret, kafka, objects, mailDomain]}
events: {outbound: true, rpc: parley.events.v1.EventsService, env: [mongodb, secret, kafka, crawl, webhooks]}
trainer: {database: corpus, outbound: true, env: [mongodb, kafka, objects, crawl, openai, embeddings, index]}
{{- if .Values.mail.domain }}
mail: {smtp: true, calls: [assistants, conversations], env: [secret, objects, mailDomain, mail]}
{{- end }}
{{- end }}

{{/* The ports that processes listen on; `ops` serves /healthz, /readyz and /metrics. */}}
{{- define "parley.ports" -}}
{http: 8080, rpc: 50051, smtp: 2525, ops: 9090}
{{- end }}

{{/*
What the gateway serves to everyone: the API, its pages, visitors, the widget and the pages of chatbots and forms. Health
and metrics are not public.
*/}}
{{- define "parley.publicPaths" -}}
[/v1, /docs, /public/v1, /widget, /widget.js, /chat, /form]
{{- end }}

{{/* How long a process may take to finish its work before it stops, in seconds: longer than the longest reply. */}}
{{- define "parley.graceSeconds" -}}
{{- max (add .Values.replyTimeoutSeconds 5) 30 -}}
{{- end }}

{{/* The image of a service, by its digest if the values name one. Arguments: root, its name. */}}
{{- define "parley.image" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}{{ $values := index $root.Values.services $name -}}
{{- $tagged := printf ":%s" (default $root.Chart.AppVersion $root.Values.image.tag) -}}
{{- $version := ternary (printf "@%s" $values.digest) $tagged (not (empty $values.digest)) -}}
{{- default (printf "%s/parley-%s%s" $root.Values.image.registry $name $version) $values.image -}}
{{- end }}

{{/*
Spreads the pods of a service over nodes and zones where that is possible; with a rolling update, those of its new version.
Arguments: root, name, values.
*/}}
{{- define "parley.spread" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}{{ $values := index . 2 -}}
{{- if hasKey $values "topologySpreadConstraints" }}{{ toYaml $values.topologySpreadConstraints -}}
{{- else -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "parley.selector" (list $root $name) | nindent 6 }}
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
{{- end }}

{{/* The timing of a probe, which the values may change. Arguments: values, which probe, the chart's own timing. */}}
{{- define "parley.probe" -}}
{{- $given := index ((index . 0).probes | default dict) (index . 1) | default dict -}}
{{- include "parley.overlay" (list (index . 2) $given) -}}
{{- end }}

{{/* Says `true` if a service may have two pods or more. Argument: its values. */}}
{{- define "parley.several" -}}
{{- $autoscaling := .autoscaling | default dict -}}
{{- if $autoscaling.enabled }}{{ if gt (int (default 2 $autoscaling.minReplicas)) 1 }}true{{ end -}}
{{- else if kindIs "invalid" .replicas }}true{{ else if gt (int .replicas) 1 }}true{{ end -}}
{{- end }}
