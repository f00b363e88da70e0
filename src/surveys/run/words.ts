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

export type SurveyWords = { readonly [Name in keyof typeof english]: string }

/** The languages of the site. */
const wordsByLanguage: Readonly<Record<string, SurveyWords>> = {
  ar: arabic,
  de: german,
  en: english,
  es: spanish,
  fr: french,
  he: hebrew,
  it: italian,
  ja: japanese,
  nl: dutch,
  pl: polish,
  pt: portuguese,
  zh: chinese,
}

const primaryLanguage = (language: string): string => language.toLowerCase().split('-', 1)[0] ?? ''

/** The language of the words for readers of this one: English where it has none. */
export const languageOfWords = (language: string): string => {
  const primary = primaryLanguage(language)
  return Object.hasOwn(wordsByLanguage, primary) ? primary : 'en'
}

export const wordsFor = (language: string): SurveyWords =>
  wordsByLanguage[languageOfWords(language)] ?? english

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur'])

export const isRightToLeft = (language: string): boolean => rightToLeft.has(primaryLanguage(language))

/** Puts numbers, dates or names into a sentence. */
export const fillIn = (sentence: string, n: string | number, m: string | number = ''): string =>
  sentence.replace('{n}', () => String(n)).replace('{m}', () => String(m))
