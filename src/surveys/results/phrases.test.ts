import { expect, test } from 'vitest'
import { frequentPhrases, phrasesOf } from './phrases'

test.each([
  ['The loading time is too slow.', ['loading', 'loading time', 'time', 'slow']],
  ['not clear', ['not', 'not clear', 'clear']],
  ['Die Ladezeit ist zu lang', ['ladezeit', 'lang']],
  ['isn’t working', ["isn't", "isn't working", 'working']],
  ['<b>ok</b>', ['ok']],
  ['  ', []],
])('%s', (text, phrases) => expect([...phrasesOf(text)]).toEqual(phrases))

test('no phrase contains markup', () => {
  const phrases = [...phrasesOf('<img src=x onerror=alert(1)> &lt; "quoted" `code` ${value}')]
  expect(phrases).toContain('onerror')
  for (const phrase of phrases) expect(phrase).toMatch(/^[\p{L}\p{N}' -]+$/u)
})

test('a phrase neither crosses punctuation nor begins or ends with a stop word', () => {
  expect([...phrasesOf('Slow. Loading of pages')]).toEqual(['slow', 'loading', 'loading of pages', 'pages'])
})

test('the longest phrase stands for its parts, and counts texts, not repetitions', () => {
  const texts = [
    'dark mode please',
    'Dark mode! Dark mode!',
    'no dark mode',
    'a darker theme',
    'search',
    'Search',
  ]
  expect(frequentPhrases(texts)).toEqual([
    { text: 'dark mode', texts: 3 },
    { text: 'search', texts: 2 },
  ])
})

test('a part that also occurs alone is listed too', () => {
  expect(frequentPhrases(['dark mode', 'dark mode', 'dark'])).toEqual([
    { text: 'dark', texts: 3 },
    { text: 'dark mode', texts: 2 },
  ])
})

test('German and English stop words, and words said once, are no findings', () => {
  expect(frequentPhrases(['ich und du', 'ich und du', 'the and of', 'the and of', 'einmal'])).toEqual([])
})

test('memory is bounded however many different words there are', () => {
  const texts = function* () {
    for (let i = 0; i < 60_000; i++) yield i % 10 === 0 ? `word${i} search` : `word${i}`
  }
  expect(frequentPhrases(texts(), 1)).toEqual([{ text: 'search', texts: 6000 }])
})
