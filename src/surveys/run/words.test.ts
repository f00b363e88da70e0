import { expect, test } from 'vitest'
import { languageOfWords, wordsFor } from './words'

const languages = ['ar', 'de', 'en', 'es', 'fr', 'he', 'it', 'ja', 'nl', 'pl', 'pt', 'zh']

const placeholdersIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()

test.each(languages)('%s has every word, with the placeholders of English', (language) => {
  const [words, english] = [wordsFor(`${language}-XX`), wordsFor('en')]
  expect(languageOfWords(language)).toBe(language)
  for (const name of Object.keys(english) as (keyof typeof english)[]) {
    expect(words[name].trim(), name).not.toBe('')
    expect(placeholdersIn(words[name]), name).toEqual(placeholdersIn(english[name]))
  }
})

test('other languages have the words of English', () => {
  expect(wordsFor('tlh')).toBe(wordsFor('en'))
  expect(wordsFor('constructor')).toBe(wordsFor('en'))
})
