# Stands in for docker.io/apache/kafka:4.3.1 where that can't be pulled: Kafka's own jars from Maven, with a JRE and the two
# programs of its bin/ that the chart starts.
#   docker build -f test/cluster/kafka.Dockerfile .
FROM debian:bookworm-slim AS java

FROM node:24-bookworm-slim AS jars
RUN apt-get update && apt-get install -y --no-install-recommends maven
# Java has a trust store of its own: it is to trust what the base image trusts, which behind a private CA is that too.
RUN csplit -sz -f /usr/local/share/ca-certificates/base- -b '%03d.crt' /etc/ssl/certs/ca-certificates.crt '/BEGIN CERT/' '{*}' && \
    update-ca-certificates --fresh >/dev/null 2>&1
COPY deploy/stack/kafka-jars.ts /fetch/
RUN node -e 'import("/fetch/kafka-jars.ts").then((m) => m.kafkaJars("/fetch"))' && mv /fetch/kafka-*/jars /libs

FROM java
RUN apt-get update && apt-get install -y --no-install-recommends openjdk-17-jre-headless && rm -rf /var/lib/apt/lists/*
COPY --from=jars /libs /opt/kafka/libs
COPY --chmod=755 test/cluster/kafka-bin /opt/kafka/bin
USER 1000:1000
