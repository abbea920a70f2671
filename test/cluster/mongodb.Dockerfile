# Stands in for docker.io/library/mongo:8.0 where that can't be pulled: the embedded engine, which is MongoDB's own code, on a
# TCP port. It supports neither users nor sessions. For tests only: its licence, the SSPL, keeps it out of Parley's images.
#   docker build -f test/cluster/mongodb.Dockerfile .
FROM node:24-bookworm-slim
WORKDIR /app
COPY deploy/embedded/package.json embedded.json
RUN echo '{"type":"module"}' >package.json && npm install --ignore-scripts --no-audit --no-fund \
      $(node -p 'const { dependencies, optionalDependencies } = require("./embedded.json"); \
        Object.entries({ ...dependencies, ...optionalDependencies }).filter(([name]) => /mongodb/.test(name)).map((one) => one.join("@")).join(" ")')
COPY deploy/embedded/src/engine deploy/embedded/src/engine
COPY test/cluster/mongodb.ts test/cluster/
USER 1000:1000
ENTRYPOINT ["node", "test/cluster/mongodb.ts"]
