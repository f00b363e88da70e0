import { createHash, randomBytes } from 'node:crypto'

type ContentPolicy = Record<string, string[]>

/** The policy of every page; pages differ only in their scripts and styles. */
const basePolicy: ContentPolicy = {
  'default-src': ["'none'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  // frames show only our own pages: the preview of a shared page
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

/** A year, for this host only: the rest of the domain is not Tilth's. */
export const strictTransportSecurity = 'max-age=31536000'

/** Random for every request: an attacker who guessed it could run a script. */
export const newNonce = () => randomBytes(16).toString('base64')

interface PagePolicy {
  nonce: string
  /** Sites that may frame this page; none by default. */
  framedBy?: readonly string[]
}

/**
 * The policy of pages that Next renders for one request. Next also receives it as a request header, where it finds the
 * nonce for its scripts. Browsers that know 'strict-dynamic' ignore 'self' and trust what a trusted script loads.
 */
export const contentSecurityPolicy = ({ nonce, framedBy = [] }: PagePolicy) =>
  policyText({
    ...basePolicy,
    ...(framedBy.length > 0 && { 'frame-ancestors': [...framedBy] }),
    'script-src': ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'"],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    // charts and floating parts set style attributes, which cannot have a nonce
    'style-src-attr': ["'unsafe-inline'"],
  })

interface InlineSources {
  styles?: string[]
  scripts?: string[]
  /** Other sites that the page embeds on the visitor's request. */
  frames?: string[]
  /** Sites that may show the page in a frame; none by default. */
  framedBy?: readonly string[]
  /** Where pictures may come from besides this site. */
  images?: readonly string[]
}

/**
 * The policy of cached pages, which are the same for everyone. A cached nonce would be public, so inline code is
 * allowed by its hash.
 */
export const cachedPagePolicy = ({
  styles = [],
  scripts = [],
  frames = [],
  framedBy = [],
  images = [],
}: InlineSources) =>
  policyText({
    ...basePolicy,
    ...(framedBy.length > 0 && { 'frame-ancestors': [...framedBy] }),
    ...(images.length > 0 && { 'img-src': ["'self'", 'data:', 'blob:', ...images] }),
    'frame-src': ["'self'", ...frames.filter((origin) => embeddableOrigins.has(origin))],
    'script-src': ["'self'", ...scripts.map(hashSource)],
    'style-src': ["'self'", ...styles.map(hashSource)],
  })

/** Origins that a page may embed; none of them sets a cookie before playback. */
export const embeddableOrigins: ReadonlySet<string> = new Set([
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
])

const hashSource = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

const policyText = (policy: ContentPolicy) =>
  Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ')
