import { arabic } from './words/arabic'
import { chinese } from './words/chinese'
import { dutch } from './words/dutch'
import { english } from './words/english'
import { french } from './words/french'
import { german } from './words/german'
import { hebrew } from './words/hebrew'
import { italian } from './words/italian'
import { japanese } from './words/japanese'
import { polish } from './words/polish'
import { portuguese } from './words/portuguese'
import { spanish } from './words/spanish'

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
