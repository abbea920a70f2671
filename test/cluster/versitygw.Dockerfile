# Stands in for docker.io/versity/versitygw:v1.8.0 where that can't be pulled: the same program, built from its source, behind
# the same entry point.
#   docker build -f test/cluster/versitygw.Dockerfile .
FROM debian:bookworm-slim AS build
# Debian's own Go is too old; the one of its backports fetches the Go that the program asks for. Certificates stay as the base
# image has them, if it has: behind a private CA they are more than Debian's.
RUN echo 'deb http://deb.debian.org/debian bookworm-backports main' >/etc/apt/sources.list.d/backports.list && \
    apt-get update && apt-get install -y --no-install-recommends --no-upgrade -t bookworm-backports golang-go ca-certificates
RUN --mount=type=cache,target=/root/go --mount=type=cache,target=/root/.cache \
    GOBIN=/out CGO_ENABLED=0 GOTOOLCHAIN=auto nice go install -trimpath -ldflags='-s -w' github.com/versity/versitygw/cmd/versitygw@v1.8.0

FROM debian:bookworm-slim
COPY --from=build /out/versitygw /usr/local/bin/versitygw
USER 1000:1000
ENTRYPOINT ["/usr/local/bin/versitygw"]
