import { expect, test } from 'vitest'
import { sanitizedContent } from '../sanitize-html'
import type { FormattedText, SurveyContent } from '../survey'
import { contentWith, everyKind, publicSurveyWith } from '#test/product/every-survey-kind'
import { beginSession, type SurveySession } from './session'
import { surveyHtml } from './survey-html'
import { wordsFor } from './words'

const drawn = (content: SurveyContent, session?: Partial<SurveySession>): string => {
  const shown = sanitizedContent(content)
  return surveyHtml({
    survey: publicSurveyWith({ content: shown }),
    session: { ...beginSession(shown), ...session },
    words: wordsFor('en'),
    fields: {},
  })
}

test.each<[FormattedText['format'], string, string]>([
  ['text', '<b>Hi</b>', '<div class="description">&#60;b&#62;Hi&#60;/b&#62;</div>'],
  ['html', '<b>Hi</b>', '<div class="description"><b>Hi</b></div>'],
  ['html', '<b onclick="x()">Hi</b><script>x()</script>', '<div class="description"><b>Hi</b></div>'],
  ['html', '<a href="javascript:x()">Hi</a>', '<div class="description"><a>Hi</a></div>'],
  ['html', '  ', ''],
  ['text', ' ', ''],
])('%s %s is drawn as %s on every screen', (format, text, markup) => {
  const description = { format, text }
  const screen = { header: 'Hello', description, buttonText: '' }
  const endCards = [{ ...screen, id: 'thanks', link: '' }]
  const content = contentWith(
    everyKind.slice(2, 3).map((question) => ({ ...question, description })),
    { intro: screen, endCards },
  )
  const heading = '<h2 class="heading">Hello</h2>'
  expect(drawn(content)).toContain(`${heading}${markup}<div class="buttons">`)
  expect(drawn(content, { screen: { kind: 'question', index: 0 } })).toContain(`</legend>${markup}<textarea`)
  expect(drawn(content, { screen: { kind: 'end', card: 'thanks' } })).toContain(
    `${heading}${markup}</div></section>`,
  )
})
