# Tilth in a container: the same program, built once, run as an ordinary user, all its data in one volume.
FROM node:24-bookworm-slim AS build
WORKDIR /tilth
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save --ignore-scripts
COPY . .
# the first run of a clone builds it
RUN node bin/tilth.js --version && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production TILTH_DATA=/data
WORKDIR /tilth
COPY --from=build /tilth/package.json /tilth/next.config.js ./
COPY --from=build /tilth/bin ./bin
COPY --from=build /tilth/themes ./themes
COPY --from=build /tilth/examples/site ./examples/site
COPY --from=build /tilth/dist ./dist
COPY --from=build /tilth/.next ./.next
COPY --from=build /tilth/node_modules ./node_modules
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# drains for at most ten seconds on SIGTERM
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/_tilth/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/tilth.js", "start"]
