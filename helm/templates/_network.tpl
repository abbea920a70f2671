{{/* What may reach whom. A test evaluates the policies, and compares the flows with deploy/processes.ts. */}}

{{/* A policy for the pods of a component. Arguments: root, component, ingress rules, egress rules. */}}
{{- define "parley.network.policy" -}}
{{- $root := index . 0 }}{{ $component := index . 1 -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "parley.fullname" $root }}-{{ $component }}
  labels: {{- include "parley.labels" (list $root $component) | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "parley.selector" (list $root $component) | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress: {{- toYaml (index . 2) | nindent 4 }}
  egress: {{- toYaml (index . 3) | nindent 4 }}
{{- end }}

{{/* The pods of components, as peers. Arguments: root, names. */}}
{{- define "parley.network.pods" -}}
{{- $root := index . 0 -}}
{{- range index . 1 }}
- podSelector:
    matchLabels: {{- include "parley.selector" (list $root .) | nindent 6 }}
{{- end }}
{{- end }}

{{/* All public addresses, as peers. */}}
{{- define "parley.network.public" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 168.63.129.16/32, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, 192.168.0.0/16, 198.18.0.0/15, 224.0.0.0/4, 240.0.0.0/4]
- ipBlock:
    cidr: ::/0
    except: ["64:ff9b:1::/48", "fc00::/7", "fe80::/10", "ff00::/8"]
{{- end }}

{{/* The pods that call a service, as a list of components. Arguments: root, name. */}}
{{- define "parley.network.callers" -}}
{{- $name := index . 1 -}}
{{- range $caller, $service := include "parley.services" (index . 0) | fromYaml }}
{{- if has $name (concat (default list $service.calls) (default list $service.asks) (default list $service.operates)) }}
- {{ $caller }}
{{- end }}
{{- end }}
{{- if eq $name "auth" }}
- test
{{- end }}
{{- end }}

{{/* The pods that use a store, as a list of components. Arguments: root, store. */}}
{{- define "parley.network.users" -}}
{{- range $user, $service := include "parley.services" (index . 0) | fromYaml }}
{{- if has (index $ 1) $service.env }}
- {{ $user }}
{{- end }}
{{- end }}
{{- if and (index . 0).Values.backup.enabled (has (index . 1) (list "mongodb" "objects")) }}
- backup
{{- end }}
{{- end }}
