import { createHash, randomBytes } from 'node:crypto'
import { mayBeFramed } from '#posts/embed-origins'

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
  /** Addresses that the page shows in a frame on the visitor's request. */
  frames?: string[]
  /** Sites that may show the page in a frame; none by default. */
  framedBy?: readonly string[]
  /** Sources of pictures besides this site. */
  images?: readonly string[]
  /** Whether elements may have style attributes. */
  allowsStyleAttributes?: boolean
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
  allowsStyleAttributes = false,
}: InlineSources) =>
  policyText({
    ...basePolicy,
    ...(framedBy.length > 0 && { 'frame-ancestors': [...framedBy] }),
    ...(images.length > 0 && { 'img-src': ["'self'", 'data:', 'blob:', ...images] }),
    'frame-src': ["'self'", ...frameOrigins(frames)],
    'script-src': ["'self'", ...scripts.map(hashSource)],
    'style-src': ["'self'", ...styles.map(hashSource)],
    ...(allowsStyleAttributes && { 'style-src-attr': ["'unsafe-inline'"] }),
  })

/** The policy of the document that shows a project's site to its members, in a page of the studio. */
export const siteFramePolicy = ({ style, origin }: { style: string; origin: string | undefined }) =>
  policyText({
    'default-src': ["'none'"],
    'style-src': [hashSource(style)],
    'frame-src': [origin ?? "'none'"],
    'frame-ancestors': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  })

/** The sites of the page's own embeds alone. */
function frameOrigins(frames: readonly string[]): string[] {
  const addresses = frames.flatMap((address) => URL.parse(address) ?? [])
  return [...new Set(addresses.filter(mayBeFramed).map(({ origin }) => origin))]
}

const hashSource = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

const policyText = (policy: ContentPolicy) =>
  Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ')
