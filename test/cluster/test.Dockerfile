# The pod that runs the end-to-end tests, so that they see the cluster as pods do: the repository and the tests' dependencies.
#   docker build -f test/cluster/test.Dockerfile .
FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY proto/package.json proto/
COPY gateway/package.json gateway/
COPY packages/catalogue/package.json packages/catalogue/
COPY packages/language/package.json packages/language/
COPY packages/reading/package.json packages/reading/
COPY packages/runtime/package.json packages/runtime/
COPY packages/corpus/package.json packages/corpus/
COPY services/auth/package.json services/auth/
COPY services/knowledge/package.json services/knowledge/
COPY services/assistants/package.json services/assistants/
COPY services/conversations/package.json services/conversations/
COPY services/events/package.json services/events/
COPY services/mail/package.json services/mail/
COPY services/trainer/package.json services/trainer/
COPY deploy/embedded/package.json deploy/embedded/
COPY test/package.json test/
COPY clients/typescript/package.json clients/typescript/
COPY clients/widget/package.json clients/widget/
# Removes large packages that are not used here: checkers, engines and models run elsewhere.
RUN --mount=type=cache,target=/root/.npm \
    npm ci --no-audit --no-fund --no-update-notifier && \
    cd node_modules && rm -r @0q @biomejs @bufbuild/buf* @redocly/cli node-linux-* onnxruntime-node/bin playwright-core typescript
COPY . .
USER 1000:1000
# The test runs programs in it with kubectl exec.
CMD ["sleep", "infinity"]
