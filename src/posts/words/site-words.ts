import { arabic } from './internal/arabic'
import { chinese } from './internal/chinese'
import { dutch } from './internal/dutch'
import { english } from './internal/english'
import { french } from './internal/french'
import { german } from './internal/german'
import { hebrew } from './internal/hebrew'
import { italian } from './internal/italian'
import { japanese } from './internal/japanese'
import { polish } from './internal/polish'
import { portuguese } from './internal/portuguese'
import { spanish } from './internal/spanish'

/** Texts by the plural categories of Intl.PluralRules. */
export type PluralForms = { readonly [Category in Intl.LDMLPluralRule]?: string | undefined } & {
  readonly other: string
}

/** The texts of the site's theme in one language. */
export type SiteWords = {
  [Name in keyof typeof english]: (typeof english)[Name] extends string ? string : PluralForms
}

/** Texts that a site has instead of those of its language. */
export type ChangedWords = { readonly [Name in keyof SiteWords]?: SiteWords[Name] | undefined }

const wordsByLanguage: ReadonlyMap<string, SiteWords> = new Map([
  ['ar', arabic],
  ['de', german],
  ['en', english],
  ['es', spanish],
  ['fr', french],
  ['he', hebrew],
  ['it', italian],
  ['ja', japanese],
  ['nl', dutch],
  ['pl', polish],
  ['pt', portuguese],
  ['zh', chinese],
])

export const translatedLanguages: readonly string[] = [...wordsByLanguage.keys()]

/** "de" of "de-AT" */
export const primaryLanguage = (language: string): string => language.toLowerCase().split('-', 1)[0] ?? ''

/** The texts of a language with a site's changes; of an unknown language, those in English. */
export function wordsOf(language: string, changes: ChangedWords = {}): SiteWords {
  const changed = Object.entries(changes).filter(([, text]) => text !== undefined)
  return { ...(wordsByLanguage.get(primaryLanguage(language)) ?? english), ...Object.fromEntries(changed) }
}

/** The language that the texts of a site are in. */
export const languageOfWords = (language: string): string =>
  wordsByLanguage.has(primaryLanguage(language)) ? primaryLanguage(language) : 'en'
