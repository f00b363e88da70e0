import { z } from 'zod'

const text = (most: number) =>
  z.string({ error: 'Write it as text.' }).trim().max(most, `Use at most ${most} characters.`)

/** A link of the navigation or the footer. */
const link = z.object({
  label: text(60).min(1, 'Say what the link is called.'),
  address: text(500).regex(
    /^(?:\/(?!\/)|https:\/\/|http:\/\/|mailto:|#)/,
    'Begin the address with "/", "https://" or "mailto:".',
  ),
})

const colour = text(7).regex(/^#[\da-f]{6}$/i, 'Write the colour as "#1f6f4a".')

/** The settings of a project's site. Every setting has a default, so a site exists before it is set up. */
export const siteSettings = z.object({
  /** Its address without a trailing slash; '' means the project's host, or Tilth's own. */
  address: z
    .union([
      z.literal(''),
      z.url({ protocol: /^https?$/, error: 'Write the address as "https://example.com".' }),
    ])
    .transform((address) => (address === '' ? '' : new URL(address).origin))
    .default(''),
  /** Whether the project has a site; a project may use analytics alone. */
  isOn: z.boolean().default(true),
  /** '' means the project's name. */
  name: text(80).default(''),
  description: text(300).default(''),
  /** The language of the document and its dates. */
  language: text(35).default('en'),
  logo: text(500)
    .regex(/^(?:$|\/(?!\/))/, 'Upload the logo: its address begins with "/".')
    .default(''),
  /** The accent colour; `accentDark` is derived if it is ''. */
  accent: colour.default('#1f6f4a'),
  accentDark: z.union([z.literal(''), colour]).default(''),
  typeface: z.enum(['sans', 'serif']).default('sans'),
  /** How /blog lists posts. */
  layout: z.enum(['list', 'cards']).default('list'),
  appearance: z.enum(['system', 'light', 'dark']).default('system'),
  postsPerPage: z.number().int().min(1).max(100).default(10),
  navigation: z
    .array(link)
    .max(12, 'Use at most 12 links.')
    .default([{ label: 'Blog', address: '/blog' }]),
  footer: z.array(link).max(24, 'Use at most 24 links.').default([]),
  footerText: text(500).default(''),
  /** How visitors are identified: by a daily hash, or by a first-party cookie. */
  visitors: z.enum(['daily', 'cookie']).default('daily'),
  /** Whether the page loads posthog-js from here and passes it the decisions. */
  loadsPosthog: z.boolean().default(false),
  /** Whether robots.txt disallows AI crawlers. */
  refusesAiCrawlers: z.boolean().default(false),
})

export type SiteSettings = z.infer<typeof siteSettings>
export const defaultSite: SiteSettings = siteSettings.parse({})

/** One project's site as its pages see it. */
export interface Site extends SiteSettings {
  projectId: number
  /** The origin of its addresses: 'https://example.com', without a trailing slash. */
  origin: string
  timeZone: string
  /** The key with which its own script sends events. */
  writeKey: string
}
