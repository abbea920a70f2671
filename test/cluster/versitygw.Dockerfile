# Stands in for docker.io/versity/versitygw:v1.8.0 where that can't be pulled: the same program, built from source, with the
# same entry point.
#   docker build -f test/cluster/versitygw.Dockerfile .
# or, with a program that exists already as `versitygw` in FOLDER:
#   docker build -f test/cluster/versitygw.Dockerfile --build-arg PROGRAM=given FOLDER
ARG PROGRAM=build

FROM debian:bookworm-slim AS build
# Debian's own Go is too old; the one in backports fetches the version that the program requires. Certificates that the base
# image already has are kept: behind a private CA they include more than Debian's.
RUN echo 'deb http://deb.debian.org/debian bookworm-backports main' >/etc/apt/sources.list.d/backports.list && \
    apt-get update && apt-get install -y --no-install-recommends --no-upgrade -t bookworm-backports golang-go ca-certificates
RUN --mount=type=cache,target=/root/go --mount=type=cache,target=/root/.cache \
    GOBIN=/out CGO_ENABLED=0 GOTOOLCHAIN=auto nice go install -trimpath -ldflags='-s -w' github.com/versity/versitygw/cmd/versitygw@v1.8.0

FROM scratch AS given
COPY versitygw /out/

FROM ${PROGRAM} AS program

FROM debian:bookworm-slim
COPY --from=program /out/versitygw /usr/local/bin/versitygw
USER 1000:1000
ENTRYPOINT ["/usr/local/bin/versitygw"]
