import type { Metadata } from 'next'
import { type Alternate, blogLanguages, languageInPath, languageOf, mainLanguageOf } from '#posts/languages'
import { addressOf } from '#posts/post'
import type { Site } from '#posts/site'
import type { OpenSite } from './open-site'

export const blog = '/blog'

/** The page at a path in each of its languages; empty where it is in one alone. */
export function alternatesAt(path: string, { site, published, now }: OpenSite): readonly Alternate[] {
  if (path === blog || languageInPath(path) !== undefined)
    return blogLanguages(published.posts(site.projectId, now, 'order'), site)
  const post = published.at(site.projectId, path, now)
  const translations = post ? published.translations(post, now) : []
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

type LanguageLinks = NonNullable<NonNullable<Metadata['alternates']>['languages']>

/** For search engines. Visitors whose language is not there are sent to that of the site. */
export function languageLinks(alternates: readonly Alternate[], site: Site): LanguageLinks | undefined {
  const main = alternates.find(({ language }) => language === mainLanguageOf(site)) ?? alternates[0]
  if (!main) return undefined
  const links = alternates.map(({ language, address }) => [language, address])
  return Object.fromEntries([...links, ['x-default', main.address]]) as LanguageLinks // languages and their addresses
}
