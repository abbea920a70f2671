{{/* The Secret with the certificate that pods show each other; empty: gRPC is plaintext. */}}
{{- define "parley.internalTls.secret" -}}
{{- with .Values.internalTls -}}
{{- if .certManager.enabled }}{{ include "parley.fullname" $ }}-internal-tls{{ else }}{{ .existingSecret }}{{ end -}}
{{- end -}}
{{- end }}

{{/* Says `true` if a process speaks gRPC, and over TLS. Arguments: root, service. */}}
{{- define "parley.internalTls.used" -}}
{{- $service := index . 1 -}}
{{- $speaks := or (hasKey $service "rpc") $service.calls $service.asks $service.operates -}}
{{- if and $speaks (include "parley.internalTls.secret" (index . 0)) }}true{{ end -}}
{{- end }}

{{/* Where its files are. The whole Secret is mounted, so that Kubernetes replaces them when it changes. */}}
{{- define "parley.internalTls.directory" -}}
/etc/parley/internal-tls
{{- end }}

{{/* Says `true` if the gateway serves HTTPS. */}}
{{- define "parley.gatewayTls" -}}
{{- if and .Values.internalTls.gateway (include "parley.internalTls.secret" .) }}true{{ end -}}
{{- end }}

{{- define "parley.check.internalTls" -}}
{{- with .Values.internalTls -}}
{{- if and .existingSecret .certManager.enabled }}
  {{- fail "\n\nThe certificate of pods comes from one place: set internalTls.existingSecret or internalTls.certManager.enabled, not both.\n" }}
{{- end }}
{{- if and .certManager.enabled (not (get .certManager.issuerRef "name")) }}
  {{- fail "\n\ncert-manager needs to know who signs the certificate of pods: set internalTls.certManager.issuerRef to an issuer of a private CA, for example to {name: my-ca, kind: Issuer}.\n" }}
{{- end }}
{{- if and .gateway (not (include "parley.internalTls.secret" $)) }}
  {{- fail "\n\nThe gateway has no certificate for HTTPS: set internalTls.existingSecret or internalTls.certManager.enabled=true, or internalTls.gateway=false.\n" }}
{{- end }}
{{- if and (ne .mode "require") (not (include "parley.internalTls.secret" $)) }}
  {{- fail (printf "\n\ninternalTls.mode is %s, but pods have no certificate: set internalTls.existingSecret, or internalTls.certManager.enabled=true.\n" .mode) }}
{{- end }}
{{- include "parley.check.there" (list $ "Secret" .existingSecret "internalTls.existingSecret" (list "tls.crt" "tls.key" "ca.crt")) }}
{{- end }}
{{- end }}
