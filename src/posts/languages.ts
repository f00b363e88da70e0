import { addressOf, type Post } from './post'
import type { Site, SiteLink } from './site'

type WithLanguage = Pick<Post, 'language'>
type SiteLanguage = Pick<Site, 'language' | 'mainLanguage'>

/** The language that posts have which name none. */
export const mainLanguageOf = ({ language, mainLanguage }: SiteLanguage): string => mainLanguage ?? language

export const languageOf = (post: WithLanguage, site: SiteLanguage): string =>
  post.language ?? mainLanguageOf(site)

export const isSameLanguage = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase()

/** The site as pages in a language see it: with the texts of that language, which the site has not changed. */
export function siteIn(site: Site, language: string): Site {
  const mainLanguage = mainLanguageOf(site)
  if (isSameLanguage(language, mainLanguage)) return site
  return { ...site, language, mainLanguage, words: {} }
}

/** The list of posts in a language other than that of the site. */
export const languageAddress = (language: string): string => `/blog/languages/${language.toLowerCase()}`

/** The language of such a list, or of a feed of it. */
export function languageInPath(path: string): string | undefined {
  const [, found] = /^\/blog\/languages\/([\w-]+)/.exec(path) ?? []
  return found
}

/** The posts in the language of a page. A site whose posts are all in other languages lists them together. */
export function postsInLanguage(posts: readonly Post[], site: SiteLanguage): readonly Post[] {
  if (site.mainLanguage === undefined && posts.every(({ language }) => language === undefined)) return posts
  const found = posts.filter((post) => isSameLanguage(languageOf(post, site), site.language))
  return found.length > 0 || site.mainLanguage !== undefined ? found : posts
}

/** Names the post and its translations. They name the slug of the same original. */
export const translationKey = ({
  kind,
  slug,
  translationOf,
}: Pick<Post, 'kind' | 'slug' | 'translationOf'>): string => `${kind} ${translationOf ?? slug}`

/** One page in several languages. */
export interface Alternate {
  language: string
  address: string
}

/** The languages that posts are in, with their lists: that of the site first. */
export function blogLanguages(posts: readonly Post[], site: SiteLanguage): Alternate[] {
  const main = mainLanguageOf(site)
  const used = new Map(posts.map((post) => [languageOf(post, site).toLowerCase(), languageOf(post, site)]))
  const others = [...used.values()].filter((language) => !isSameLanguage(language, main)).toSorted()
  if (others.length === 0 || !used.has(main.toLowerCase())) return []
  return [
    { language: main, address: '/blog' },
    ...others.map((language) => ({ language, address: languageAddress(language) })),
  ]
}

/** A post in each of its languages; empty where it is in one alone. */
export function alternatesOf(translations: readonly Post[], site: SiteLanguage): Alternate[] {
  const byLanguage = new Map(
    translations.map((one): [string, Alternate] => {
      const language = languageOf(one, site)
      return [language.toLowerCase(), { language, address: addressOf(one) }]
    }),
  )
  return byLanguage.size > 1 ? [...byLanguage.values()].toSorted(byCode) : []
}

const byCode = (one: Alternate, other: Alternate): number =>
  one.language < other.language ? -1 : Number(one.language > other.language)

/** The page for visitors without a language that there is: that of the site, or else the first. */
export const usualAlternate = (alternates: readonly Alternate[], site: SiteLanguage): Alternate | undefined =>
  alternates.find(({ language }) => isSameLanguage(language, mainLanguageOf(site))) ?? alternates[0]

/** A language's name in that language: "Deutsch". */
export function nameOfLanguage(language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  } catch {
    return language
  }
}

/** Finds the translation of what stands at an address; for the blog, its list in the language. */
type TranslationLookup = (address: string) => Pick<Post, 'kind' | 'slug' | 'title'> | 'list' | undefined

/**
 * A link of the site on a page in another language. It leads to the translation where there is one, and is called by the
 * text that the site has set for the language, otherwise by the title of the translation.
 */
export function linkIn(
  { language }: SiteLanguage,
  link: SiteLink,
  translationAt: TranslationLookup,
): SiteLink {
  const known = Object.entries(link.labels ?? {}).find(([code]) => isSameLanguage(code, language))?.[1]
  const found = translationAt(link.address)
  if (found === undefined || found === 'list')
    return { label: known ?? link.label, address: found ? languageAddress(language) : link.address }
  return { label: known ?? found.title, address: addressOf(found) }
}
