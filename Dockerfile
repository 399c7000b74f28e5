# Purser as an image: the compiled bot, its production packages and Node. Configure it by the
# environment (.env.example); ROLE=app answers Slack, ROLE=worker watches, ROLE=all does both.
# The digest is that of the index of all platforms; Renovate keeps both, and .ci/node24 has the same version.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src/ src/
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image runs compiled code and needs no tsx, which is removed by name.
RUN npm ci --omit=dev --ignore-scripts \
  && npm uninstall --no-save --omit=dev --ignore-scripts tsx \
  && npm cache clean --force

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
# A release gives the commit and the address of the repository.
ARG REVISION=unknown
ARG SOURCE=
LABEL org.opencontainers.image.title="Purser" \
  org.opencontainers.image.description="The Slack bot of the people who run workloads on a cloud platform and pay for them." \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.source="${SOURCE}"
# A small young generation: with V8's default, the lists of several polls stay in memory.
ENV NODE_ENV=production NODE_OPTIONS="--enable-source-maps --max-semi-space-size=4"
WORKDIR /app
# The image installs no packages, so it needs no installers.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* \
  /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg
# root owns the files: the bot can read its own code but not change it.
COPY LICENSE package.json ./
COPY --from=packages /app/node_modules/ node_modules/
COPY --from=build /app/dist/ dist/
USER node
EXPOSE 3000 9090
STOPSIGNAL SIGTERM
# bash opens the connection itself: a second Node every 30 seconds would cost 40 MB and a busy core.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/${OPS_HOST:-127.0.0.1}/${OPS_PORT:-9090} && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r -t 4 _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["node", "dist/main.js"]
