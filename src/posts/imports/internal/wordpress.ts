import {
  dateOf,
  emptyPost,
  type ImportedContent,
  type ImportedPost,
  restrictedNote,
} from '../imported-content'
import { readWxr, type WxrFile, type WxrItem } from './wxr'

/** Reads WXR, the XML that WordPress writes: Tools → Export. */
export function readWordpress(xml: string): ImportedContent {
  const file = readWxr(xml)
  const attachments = new Map(
    file.items
      .filter(({ fields }) => fields.get('wp:post_type') === 'attachment')
      .map(({ fields }) => [fields.get('wp:post_id') ?? '', fields.get('wp:attachment_url') ?? '']),
  )
  const texts = file.items.filter(({ fields }) => isText(fields))
  return {
    posts: texts.filter((item) => !isLeftOut(item)).map((item) => importedPost(item, file, attachments)),
    authors: [...file.authors.values()].map((name) => ({ name, bio: '' })),
    skipped: [...texts.filter(isLeftOut).map(leftOut), ...otherTypes(file.items)],
    origin: URL.parse(file.origin ?? '')?.origin,
  }
}

const isText = (fields: WxrItem['fields']): boolean =>
  ['post', 'page'].includes(fields.get('wp:post_type') ?? '')

const isLeftOut = ({ fields }: WxrItem): boolean =>
  ['trash', 'auto-draft', 'inherit'].includes(fields.get('wp:status') ?? '')

const leftOut = ({ fields }: WxrItem) => ({
  title: fields.get('title') ?? '',
  why: fields.get('wp:status') === 'trash' ? 'It is in the trash.' : 'It was never saved.',
})

/** Menus, revisions and things of plug-ins, by their type. */
function otherTypes(items: readonly WxrItem[]): ImportedContent['skipped'] {
  const others = items
    .map(({ fields }) => fields.get('wp:post_type') ?? 'item')
    .filter((type) => !['post', 'page', 'attachment', 'revision'].includes(type))
  return [...Map.groupBy(others, (type) => type)].map(([type, all]) => ({
    title: `${all.length} of type “${type}”`,
    why: 'Only posts and pages are taken.',
  }))
}

function importedPost(
  item: WxrItem,
  { authors }: WxrFile,
  attachments: ReadonlyMap<string, string>,
): ImportedPost {
  const { fields, tags, meta } = item
  const field = (name: string) => fields.get(name) ?? ''
  const path = URL.parse(field('link'))?.pathname ?? '/'
  const isPage = field('wp:post_type') === 'page'
  const cover = attachments.get(meta.get('_thumbnail_id') ?? '')
  const { html, shortcodes } = htmlOf(field('content:encoded'))
  const author = authors.get(field('dc:creator')) ?? field('dc:creator')
  const metaTitle = meta.get('_yoast_wpseo_title') ?? ''
  return {
    ...emptyPost,
    ...datesOf(fields),
    kind: isPage ? 'page' : 'post',
    title: field('title'),
    // the pages of WordPress stand below each other
    slug: isPage && path !== '/' ? path.replaceAll(/^\/|\/$/g, '') : field('wp:post_name'),
    html,
    excerpt: field('excerpt:encoded'),
    tags,
    authors: [author].filter(Boolean),
    cover: cover ? { address: cover, alt: '' } : undefined,
    isFeatured: field('wp:is_sticky') === '1',
    // a template of the plug-in
    metaTitle: metaTitle.includes('%%') ? '' : metaTitle,
    metaDescription: meta.get('_yoast_wpseo_metadesc') ?? '',
    oldPaths: path === '/' ? [] : [path],
    notes: notesOn(item, shortcodes),
  }
}

const isRestricted = (fields: WxrItem['fields']): boolean =>
  fields.get('wp:status') === 'private' || (fields.get('wp:post_password') ?? '') !== ''

function datesOf(fields: WxrItem['fields']): Pick<ImportedPost, 'publishedAt' | 'createdAt' | 'changedAt'> {
  const created = timeOf(fields.get('wp:post_date_gmt'), fields.get('wp:post_date'))
  const isPublic = ['publish', 'future'].includes(fields.get('wp:status') ?? '') && !isRestricted(fields)
  return {
    publishedAt: isPublic ? created : undefined,
    createdAt: created,
    changedAt: timeOf(fields.get('wp:post_modified_gmt'), fields.get('wp:post_modified')),
  }
}

const notesOn = ({ fields, comments }: WxrItem, shortcodes: readonly string[]): string[] => [
  ...(isRestricted(fields) ? [restrictedNote] : []),
  ...(comments > 0 ? [`${comments} comments are not taken.`] : []),
  ...(shortcodes.length > 0 ? [`Shortcodes of plug-ins are left as text: ${shortcodes.join(', ')}.`] : []),
]

/** WordPress writes zeros for a draft that has no date. */
function timeOf(utc = '', local = ''): Date | undefined {
  const written = utc === '' || utc.startsWith('0000') ? local : utc
  return written.startsWith('0000') ? undefined : dateOf(`${written.replace(' ', 'T')}Z`)
}

const shortcode = /\[([a-z][\w-]{2,30})(?:\s[^\]\n]*)?\]/gi
const caption = /\[caption[^\]]*\]\s*(<[^]*?>)\s*([^<[]*)\[\/caption\]/gi

/** Texts of the old editor have empty lines instead of paragraphs, and their own form of captions. */
function htmlOf(content: string): { html: string; shortcodes: string[] } {
  const withCaptions = content.replaceAll(
    caption,
    (_all, image: string, words: string) =>
      `<figure>${image}<figcaption>${words.trim()}</figcaption></figure>`,
  )
  const shortcodes = new Set([...withCaptions.matchAll(shortcode)].map(([, name = '']) => name.toLowerCase()))
  const isBlocks = content.includes('<!-- wp:') || /<p[\s>]/i.test(content)
  return { html: isBlocks ? withCaptions : paragraphs(withCaptions), shortcodes: [...shortcodes] }
}

const blockStart =
  /^<(?:address|article|blockquote|details|div|dl|figure|form|h[1-6]|hr|iframe|ol|p|pre|section|table|ul)\b/i

const paragraphs = (content: string): string =>
  content
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .map((part) => (blockStart.test(part) ? part : `<p>${part.replaceAll('\n', '<br>')}</p>`))
    .join('\n')
