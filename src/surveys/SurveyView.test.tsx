import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FormattedTextView } from './SurveyView'

test.each([
  ['text', '<b>Hi</b>', '<p class="description">&lt;b&gt;Hi&lt;/b&gt;</p>'],
  ['html', '<b>Hi</b>', '<div class="description"><b>Hi</b></div>'],
  ['html', '<b onclick="x()">Hi</b><script>x()</script>', '<div class="description"><b>Hi</b></div>'],
  ['html', '  ', ''],
] as const)('%s %s is drawn as %s', (format, text, markup) => {
  expect(renderToStaticMarkup(<FormattedTextView value={{ format, text }} />)).toBe(markup)
})
