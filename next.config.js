import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PHASE_PRODUCTION_BUILD } from 'next/constants.js'

const root = import.meta.dirname
const require = createRequire(import.meta.url)
const prefetchLimit = join(root, 'src/server/next-patches/prefetch-limit.cjs')

/** Next's prefetch scheduler, in the two forms it is published in. */
const schedulers = ['next/dist/client', 'next/dist/esm/client'].map(
  (form) => `${form}/components/segment-cache/scheduler.js`,
)

// A loader whose rule no longer matches any file would never speak up. Here the build learns of it before it begins.
function provePatchApplies() {
  const limitPrefetches = require(prefetchLimit)
  for (const scheduler of schedulers) limitPrefetches(readFileSync(require.resolve(scheduler), 'utf8'))
}

const asMarkdown = '/_tilth/markdown'
const prefersMarkdown = [{ type: 'header', key: 'accept', value: 'text/markdown\\b.*' }]

/** Markdown pages are served as Markdown if the address or the Accept header asks for it. */
const rewrites = async () => ({
  beforeFiles: [
    { source: '/', has: prefersMarkdown, destination: `${asMarkdown}/index` },
    {
      source: '/:address((?!blog$|_|studio|share)[^.]+)',
      has: prefersMarkdown,
      destination: `${asMarkdown}/:address`,
    },
  ],
  afterFiles: [{ source: '/:address(.+)\\.md', destination: `${asMarkdown}/:address` }],
})

/** Addresses that pages of the studio had before, which letters, chats and bookmarks still name. */
const redirects = async () =>
  [
    // as `flagPart` writes a flag that is called like a page
    ['flags/key/:flag(new|explain|environments|holdouts|key)/:view*', 'flags/~:flag/:view*'],
    ['flags/key/:flag/:view*', 'flags/:flag/:view*'],
    ['surveys/survey/:survey/:view*', 'surveys/:survey/:view*'],
    ['posts/letters/letter/:letter', 'site/newsletter/:letter'],
    ['posts/letters/list/:list', 'site/newsletter/lists/:list'],
    ['posts/letters/:page*', 'site/newsletter/:page*'],
    ['posts/pages', 'site'],
    ['posts/comments', 'site/comments'],
    ['posts/site', 'site/design'],
    ['posts/redirects', 'site/design/redirects'],
    ['posts/post/:post+', 'site/posts/:post+'],
    ['posts/:page*', 'site/posts/:page*'],
  ].map(([before, now]) => ({
    source: `/studio/:project/${before}`,
    destination: `/studio/:project/${now}`,
    permanent: true,
  }))

// Next's router keeps a prefetched page for this long, and no shorter (segment-cache/cache.js, getStaleTimeMs). What is
// prefetched in the studio holds figures and lists, which may change at any time; without the header it stays 300 s.
const headers = async () => [
  { source: '/studio/:path*', headers: [{ key: 'x-nextjs-stale-time', value: '30' }] },
]

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  agentRules: false,
  // The tests check types. A person waiting for the first start should not wait for that too.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Otherwise Next sends what stands in the head after the body, and a script to move it to its place.
  htmlLimitedBots: /.*/,
  serverExternalPackages: ['@node-rs/argon2', 'chdb', 'ffi-rs', 'pino', 'shiki'],
  redirects,
  rewrites,
  headers,
  experimental: {
    // The site and the studio are two documents, so there is no one layout that an address of neither could wear.
    globalNotFound: true,
    // Set by src/server/internal/pages.ts: every page at the start takes 20 MB of heap, and none makes first visits slower.
    preloadEntriesOnStart: process.env.TILTH_PRELOADS_PAGES !== 'no',
    staleTimes: { static: 300, dynamic: 0 },
    serverActions: { bodySizeLimit: '8mb' },
    turbopackFileSystemCacheForBuild: process.env.TURBOPACK_CACHE !== 'off',
  },
  turbopack: {
    root,
    rules: { '**/segment-cache/scheduler.js': { loaders: [prefetchLimit] } },
  },
}

export default function configure(phase) {
  if (phase === PHASE_PRODUCTION_BUILD) provePatchApplies()
  return config
}
