import type { Metadata } from 'next'
import { type Alternate, alternatesOf, blogLanguages, languageInPath, usualAlternate } from '#posts/languages'
import type { Site } from '#posts/site'
import type { OpenSite } from './open-site'

export const blog = '/blog'

/** The page at a path in each of its languages; empty where it is in one alone. */
export function alternatesAt(path: string, { site, published, now }: OpenSite): readonly Alternate[] {
  if (path === blog || languageInPath(path) !== undefined)
    return blogLanguages(published.posts(site.projectId, now, 'order'), site)
  const post = published.at(site.projectId, path, now)
  const translations = post ? published.translations(post, now) : []
  return alternatesOf(translations, site)
}

type LanguageLinks = NonNullable<NonNullable<Metadata['alternates']>['languages']>

/** For search engines. Visitors whose language is not there are sent to that of the site. */
export function languageLinks(alternates: readonly Alternate[], site: Site): LanguageLinks | undefined {
  const main = usualAlternate(alternates, site)
  if (!main) return undefined
  const links = alternates.map(({ language, address }) => [language, address])
  return Object.fromEntries([...links, ['x-default', main.address]]) as LanguageLinks // languages and their addresses
}
