import type { Words } from '@tilth/site'
import type { Site } from '#posts/site'
import { type TranslatedSite, translationFor } from '../translations'

/** The settings of the site that modules of the site folder may read. */
export const siteForKit = ({
  name,
  description,
  language,
  logo,
  navigation,
  footer,
  footerText,
  origin,
}: Site) => ({ name, description, language, logo, navigation, footer, footerText, origin })

const namesOfWords = [
  'mainNavigation',
  'footerNavigation',
  'search',
  'searchFor',
  'newestPosts',
  'allPosts',
  'newer',
  'older',
  'pages',
  'featured',
  'tags',
  'writtenBy',
  'onThisPage',
  'series',
  'previous',
  'next',
  'readNext',
  'feed',
  'contents',
  'version',
  'oldVersion',
  'toNewest',
  'languages',
  'notFound',
  'notFoundAdvice',
  'pageFailed',
  'pageFailedAdvice',
  'toFrontPage',
] as const satisfies readonly (keyof Words)[]

/** The texts of the theme that layouts may use: those without placeholders. */
export function wordsForKit(site: TranslatedSite): Words {
  const words = translationFor(site)
  const entries = namesOfWords.map((name) => [name, words[name]])
  // every name of `Words` is in the list
  return Object.fromEntries(entries) as Words
}
