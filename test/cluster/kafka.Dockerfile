# Stands in for docker.io/apache/kafka:4.3.1 where that can't be pulled: Kafka's own jars from Maven, a JRE, and the two
# programs in bin/ that the chart starts.
#   docker build -f test/cluster/kafka.Dockerfile .
FROM debian:bookworm-slim AS java

FROM node:24-bookworm-slim AS jars
RUN apt-get update && apt-get install -y --no-install-recommends maven
# Java has its own trust store. Make it trust what the base image trusts, which may include a private CA.
RUN csplit -sz -f /usr/local/share/ca-certificates/base- -b '%03d.crt' /etc/ssl/certs/ca-certificates.crt '/BEGIN CERT/' '{*}' && \
    update-ca-certificates --fresh >/dev/null 2>&1
COPY deploy/embedded/progress.mjs /fetch/embedded/
COPY deploy/stack/kafka-jars.ts /fetch/stack/
RUN node -e 'import("/fetch/stack/kafka-jars.ts").then((m) => m.kafkaJars("/fetch"))' && mv /fetch/kafka-*/jars /libs

FROM java
RUN apt-get update && apt-get install -y --no-install-recommends openjdk-17-jre-headless && rm -rf /var/lib/apt/lists/*
COPY --from=jars /libs /opt/kafka/libs
COPY --chmod=755 test/cluster/kafka-bin /opt/kafka/bin
USER 1000:1000
