import { createHash, randomBytes } from 'node:crypto'

type ContentPolicy = Record<string, string[]>

/** What every page of ours may do; pages differ only in how scripts and styles are let in. */
const basePolicy: ContentPolicy = {
  'default-src': ["'none'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  // what we show in a frame is our own: the preview of a page that is shared
  'frame-src': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
}

/** Headers of every page. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), ' +
    'magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
} as const

/** A year, for this host alone: what else a domain serves is not ours to decide. */
export const strictTransportSecurity = 'max-age=31536000'

/** Fresh for every request: an attacker who guessed it could run a script. */
export const newNonce = () => randomBytes(16).toString('base64')

interface PagePolicy {
  nonce: string
  /** Sites that may show this page in a frame; none by default. */
  framedBy?: readonly string[]
}

/**
 * For pages that Next renders for one request. Passed to it as a request header too, because that is where it finds
 * the nonce for its scripts. Browsers that know 'strict-dynamic' ignore 'self' and trust what a trusted script loads.
 */
export const contentSecurityPolicy = ({ nonce, framedBy = [] }: PagePolicy) =>
  policyText({
    ...basePolicy,
    ...(framedBy.length > 0 && { 'frame-ancestors': [...framedBy] }),
    'script-src': ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'"],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    // Charts and floating parts place themselves by style attributes, which no nonce can vouch for.
    'style-src-attr': ["'unsafe-inline'"],
  })

interface InlineSources {
  styles?: string[]
  scripts?: string[]
  /** Other sites that the page shows in a frame on the visitor's request. */
  frames?: string[]
}

/**
 * For pages that are the same for everybody and kept in memory. A nonce kept there would be known to everybody, so
 * what is inline is named by its hash.
 */
export const cachedPagePolicy = ({ styles = [], scripts = [], frames = [] }: InlineSources) =>
  policyText({
    ...basePolicy,
    'frame-src': ["'self'", ...frames.filter((origin) => embeddableOrigins.has(origin))],
    'script-src': ["'self'", ...scripts.map(hashSource)],
    'style-src': ["'self'", ...styles.map(hashSource)],
  })

/** A page can name any site it likes, and only these are let into a frame: none of them sets a cookie before it plays. */
export const embeddableOrigins: ReadonlySet<string> = new Set([
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
])

const hashSource = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

const policyText = (policy: ContentPolicy) =>
  Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ')
