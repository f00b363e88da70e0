import { expect, test } from 'vitest'
import { translatedLanguages } from '#posts/words/site-words'
import { letterWords, preferredLanguage } from './words'

test.each(translatedLanguages)('letters have texts of their own in %s, as themes do', (language) => {
  const words = letterWords(`${language}-XX`)
  expect(words.language).toBe(language)
  const texts = Object.values(words).map((text) => (typeof text === 'string' ? text : text('Notes', 'Acme')))
  expect(new Set(texts).size).toBe(texts.length)
  for (const name of ['confirmSubject', 'confirmAsk', 'confirmedAdvice', 'unsubscribeAsk', 'why'] as const)
    expect(words[name]('Notes', 'Acme')).toContain('Notes')
})

test.each([
  ['sv, ja;q=0.8, en;q=0.5', 'ja'],
  ['ar-EG', 'ar'],
  ['sv', undefined],
])('of %s, the preferred language with texts is %s', (header, language) =>
  expect(preferredLanguage(header)).toBe(language),
)
