# The build needs a compiler only where better-sqlite3 has no ready-made binary for the platform.
FROM node:22-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund && npm prune --omit=dev --no-audit --no-fund

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    HOLDFAST_DATA_DIR=/var/lib/holdfast \
    HOLDFAST_KEYS_DIR=/var/lib/holdfast-keys
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/CHANGELOG.md ./
COPY --from=build /app/bin bin
COPY --from=build /app/dist dist
COPY --from=build /app/packages packages
COPY --from=build /app/node_modules node_modules
RUN install -d -o node -g node -m 700 /var/lib/holdfast /var/lib/holdfast-keys
USER node
VOLUME ["/var/lib/holdfast", "/var/lib/holdfast-keys"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4680/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/holdfast.mjs"]
CMD ["serve"]
