import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { JsonLd } from './JsonLd'

test.each([
  'Fish & chips',
  '"quoted" and \'quoted\'',
  '</script><script>alert(1)</script>',
  '<!-- <script>',
  'a script about <SCRIPT>',
  'line\u2028separator',
])('what is told of %s is JSON, and ends where the element ends', (headline) => {
  const html = renderToStaticMarkup(<JsonLd graph={{ headline }} />)

  const [, text = ''] = /^<script type="application\/ld\+json">([^<]*)<\/script>$/.exec(html) ?? []
  expect(JSON.parse(text)).toEqual({ headline })
})
