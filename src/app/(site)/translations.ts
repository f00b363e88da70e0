import {
  languageOfWords,
  type PluralForms,
  primaryLanguage,
  type SiteWords,
  wordsOf,
} from '#posts/words/site-words'
import type { Site } from '#posts/site'

/** The texts of the theme on one site; texts with placeholders are functions. */
export type SiteTranslation = ReturnType<typeof makeTranslation>

export type TranslatedSite = Pick<Site, 'language' | 'words'>

const inEnglish: TranslatedSite = { language: 'en', words: {} }

const translations = new WeakMap<TranslatedSite['words'], { language: string; texts: SiteTranslation }>()

/** Made once for the settings of a site, because a page needs it some twenty times. */
export function translationFor(site: TranslatedSite = inEnglish): SiteTranslation {
  const known = translations.get(site.words)
  if (known?.language === site.language) return known.texts
  const texts = makeTranslation(site)
  translations.set(site.words, { language: site.language, texts })
  return texts
}

function makeTranslation({ language, words }: TranslatedSite) {
  const texts = wordsOf(language, words)
  const rules = new Intl.PluralRules(languageOfWords(language))
  const counted = (forms: PluralForms) => (count: number) =>
    filled(forms[rules.select(count)] ?? forms.other, { count })
  return {
    ...texts,
    results: counted(texts.results),
    found: counted(texts.found),
    readingNow: counted(texts.readingNow),
    page: (page: number, of: number) => filled(texts.page, { page, of }),
    partOf: (part: number, of: number) => filled(texts.partOf, { part, of }),
    minutes: (minutes: number) => filled(texts.minutes, { minutes }),
    changed: (date: string) => filled(texts.changed, { date }),
    postsOn: (tag: string) => filled(texts.postsOn, { tag }),
    postsBy: (author: string) => filled(texts.postsBy, { author }),
  } satisfies { [Name in keyof SiteWords]: unknown }
}

/** Puts values in the place of "{name}". */
const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))

const rightToLeft = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

export const directionOf = (language: string): 'ltr' | 'rtl' =>
  rightToLeft.has(primaryLanguage(language)) ? 'rtl' : 'ltr'

/** "21 November 2026", as its readers write it, on the calendar of the site. */
export function longDate(date: Date, { language, timeZone }: { language: string; timeZone: string }): string {
  const form = { dateStyle: 'long', timeZone } as const
  return new Intl.DateTimeFormat(canonicalLocale(language), form).format(date)
}

/** "Ana, Ben and Cleo" */
export const joinNames = (names: readonly string[], language: string): string =>
  new Intl.ListFormat(canonicalLocale(language), { type: 'conjunction' }).format(names)

/** A site may name a language that does not exist; its dates are then English. */
function canonicalLocale(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
