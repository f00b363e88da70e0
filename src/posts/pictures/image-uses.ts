import type { Author, Picture, Post } from '../post'
import type { SiteSettings } from '../site'

/** A place that shows a picture. */
export interface ImageUse {
  in: 'post' | 'page' | 'author' | 'site'
  /** The id of the post, the slug of the author, or the setting of the site. */
  id: string
  /** The title of the post, the name of the author, or the label of the setting. */
  title: string
}

export interface ImageUsers {
  posts: readonly Post[]
  authors: readonly Author[]
  site: Pick<SiteSettings, keyof typeof siteSettings>
}

const siteSettings = {
  logo: 'Logo',
  favicon: 'Favicon',
  socialPicture: 'Social picture',
  headerMarkdown: 'Above the header',
  footerMarkdown: 'Above the footer',
} as const
// the keys of the object are those of its type
const siteSettingNames = Object.keys(siteSettings) as (keyof typeof siteSettings)[]

/** Finds the uses of all pictures, by file. A post that shows a picture several times is one use. */
export function imageUses({ posts, authors, site }: ImageUsers): Map<string, ImageUse[]> {
  const uses = new Map<string, ImageUse[]>()
  const note = (files: Iterable<string>, use: ImageUse) => {
    for (const file of new Set(files)) uses.set(file, [...(uses.get(file) ?? []), use])
  }
  for (const post of posts.toSorted(byTitle))
    note(filesOf(post), { in: post.kind, id: post.id, title: post.title })
  for (const { slug, name, picture } of authors)
    note(filesIn(picture?.address), { in: 'author', id: slug, title: name })
  for (const name of siteSettingNames)
    note(filesIn(site[name]), { in: 'site', id: name, title: siteSettings[name] })
  return uses
}

const byTitle = (one: Post, other: Post): number => one.title.localeCompare(other.title, 'en')

/** The pictures of the text, the cover, the covers that are tried, and the unpublished changes. */
export function filesOf({
  body,
  cover,
  trial,
  unpublished,
}: Pick<Post, 'body' | 'cover' | 'trial' | 'unpublished'>): string[] {
  const { body: nextBody, cover: nextCover } = unpublished?.fields ?? {}
  const covers: (Picture | null | undefined)[] = [
    cover,
    nextCover,
    ...(trial?.variants ?? []).map((variant) => variant.cover),
  ]
  return [body, nextBody ?? undefined, ...covers.map((one) => one?.address)].flatMap(filesIn)
}

const address = /\/_tilth\/images\/([\da-f]{32}\.[a-z]{3,4})\b/g

const filesIn = (text: string | undefined): string[] =>
  Array.from((text ?? '').matchAll(address), ([, file = '']) => file)
