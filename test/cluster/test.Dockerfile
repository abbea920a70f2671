# The pod that the end-to-end tests run in, so that they see a cluster as its pods do: the repository with what tests need.
#   docker build -f test/cluster/test.Dockerfile .
FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY proto/package.json proto/
COPY gateway/package.json gateway/
COPY services/runtime/package.json services/runtime/
COPY services/corpus/package.json services/corpus/
COPY services/auth/package.json services/auth/
COPY services/knowledge/package.json services/knowledge/
COPY services/assistants/package.json services/assistants/
COPY services/conversations/package.json services/conversations/
COPY services/trainer/package.json services/trainer/
COPY deploy/embedded/package.json deploy/embedded/
COPY test/package.json test/
# Without what is large and takes no part here: checkers, engines and models run elsewhere.
RUN --mount=type=cache,target=/root/.npm \
    npm install --ignore-scripts --no-audit --no-fund --no-update-notifier && \
    cd node_modules && rm -r @0q @biomejs @bufbuild/buf* onnxruntime-node/bin typescript
COPY . .
USER 1000:1000
# It waits to be told what to run.
CMD ["sleep", "infinity"]
