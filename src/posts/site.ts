import { z } from 'zod'
import { changedWords } from './words/internal/words-input'

const text = (most: number) =>
  z.string({ error: 'Write it as text.' }).trim().max(most, `Use at most ${most} characters.`)

/** The themes that come with Tilth: folders of `themes/`. */
export const siteThemes = ['publication', 'product', 'docs'] as const
export type SiteTheme = (typeof siteThemes)[number]

/** A link of the navigation or the footer. */
const link = z.object({
  label: text(60).min(1, 'Enter the text of the link.'),
  /** The link's text on pages in other languages, by their codes. */
  labels: z.record(text(35), text(60).min(1, 'Enter the text of the link.')).optional(),
  address: text(500).regex(
    /^(?:\/(?!\/)|https:\/\/|http:\/\/|mailto:|#)/,
    'Begin the address with "/", "https://" or "mailto:".',
  ),
})

const colour = text(7).regex(/^#[\da-f]{6}$/i, 'Write the colour as "#1f6f4a".')

const picture = (noun: string) =>
  text(500)
    .regex(/^(?:$|\/(?!\/))/, `Upload the ${noun}: its address begins with "/".`)
    .default('')

/** Names that pages set themselves, or that would change how a browser reads them. */
const ownMetaNames = [
  'viewport',
  'theme-color',
  'color-scheme',
  'description',
  'robots',
  'referrer',
  'charset',
]

const metaTag = z.object({
  name: text(100)
    .regex(/^[\w:.-]+$/, 'Write the name of a meta tag as "google-site-verification".')
    .refine((name) => !ownMetaNames.includes(name.toLowerCase()), 'Pages set this meta tag themselves.'),
  content: text(500).min(1, 'Enter the content of the meta tag.'),
})

/** The settings of a project's site. Every setting has a default, so a site exists before it is set up. */
export const siteSettings = z.object({
  /** The site's address without a trailing slash; '' means the project's host, or Tilth's own. */
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
  /** Texts of the theme that differ from those of the language, by their names. */
  words: changedWords.default({}),
  logo: picture('logo'),
  /** '' means the logo, or the first letter of the name. */
  favicon: picture('favicon'),
  /** The picture of pages without one of their own, where they are linked. */
  socialPicture: picture('social picture'),
  /** The accent colour; `accentDark` is derived if it is ''. */
  accent: colour.default('#1f6f4a'),
  accentDark: z.union([z.literal(''), colour]).default(''),
  typeface: z.enum(['sans', 'serif']).default('sans'),
  /** The layouts and styles of its pages, unless a site folder has layouts of its own. */
  theme: z.enum(siteThemes).default('publication'),
  /** The layout of the list of posts at /blog. */
  layout: z.enum(['list', 'cards']).default('list'),
  appearance: z.enum(['system', 'light', 'dark']).default('system'),
  /** The width of texts and lists. */
  width: z.enum(['narrow', 'medium', 'wide']).default('medium'),
  /** Whether long posts have a table of contents. */
  showsContents: z.boolean().default(true),
  /** Whether posts show their covers. */
  showsCovers: z.boolean().default(true),
  postsPerPage: z.number().int().min(1).max(100).default(10),
  navigation: z
    .array(link)
    .max(12, 'Use at most 12 links.')
    .default([{ label: 'Blog', address: '/blog' }]),
  footer: z.array(link).max(24, 'Use at most 24 links.').default([]),
  footerText: text(500).default(''),
  /** Markdown above the header and above the footer of every page, blocks included. */
  headerMarkdown: text(2000).default(''),
  footerMarkdown: text(5000).default(''),
  /** Meta elements of every page, such as those that prove to a search engine whose site it is. */
  metaTags: z.array(metaTag).max(20, 'Use at most 20 meta tags.').default([]),
  /** The way in which visitors are identified: by a daily hash, or by a first-party cookie. */
  visitors: z.enum(['daily', 'cookie']).default('daily'),
  /** Whether the page loads posthog-js from here and passes it the decisions. */
  loadsPosthog: z.boolean().default(false),
  /** Whether robots.txt disallows AI crawlers. */
  refusesAiCrawlers: z.boolean().default(false),
})

export type SiteLink = z.infer<typeof link>
export type SiteSettings = z.infer<typeof siteSettings>
export const defaultSite: SiteSettings = siteSettings.parse({})

/** One project's site as its pages see it. */
export interface Site extends SiteSettings {
  projectId: number
  /** The origin of its addresses: 'https://example.com', without a trailing slash. */
  origin: string
  timeZone: string
  /** The language of the site, where the page is in another. */
  mainLanguage?: string
  /** The key with which its own script sends events. */
  writeKey: string
  /** The origin of Tilth, while pages are rendered to files of another server. */
  staticServer?: string
}
