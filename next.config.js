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

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  agentRules: false,
  // The tests check types. A person waiting for the first start should not wait for that too.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  serverExternalPackages: ['@node-rs/argon2', 'chdb', 'ffi-rs', 'pino'],
  experimental: {
    // The site and the studio are two documents, so there is no one layout that an address of neither could wear.
    globalNotFound: true,
    staleTimes: { static: 300, dynamic: 0 },
    serverActions: { bodySizeLimit: '1mb' },
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
