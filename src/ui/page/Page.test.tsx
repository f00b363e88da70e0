import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Page } from './Page'

const order = (markup: string, words: readonly string[]) =>
  words.toSorted((one, other) => markup.indexOf(`>${one}<`) - markup.indexOf(`>${other}<`))

test('tabs stand right below the title, whether the page has a description or not', () => {
  const parts = ['Flags', 'Explain', 'Values for one visitor.']
  const markup = renderToStaticMarkup(
    <Page title="Flags" description="Values for one visitor." tabs={<nav>Explain</nav>}>
      rows
    </Page>,
  )
  for (const part of parts) expect(markup).toContain(`>${part}<`)
  expect(order(markup, parts.toReversed())).toEqual(parts)
})

test('a description without tabs stands below the title', () => {
  const markup = renderToStaticMarkup(
    <Page title="Flags" description="Values for one visitor.">
      <p>rows</p>
    </Page>,
  )
  expect(order(markup, ['rows', 'Values for one visitor.', 'Flags'])).toEqual([
    'Flags',
    'Values for one visitor.',
    'rows',
  ])
})

test('the last crumb is followed by no slash', () => {
  const markup = renderToStaticMarkup(
    <Page title="Explain" breadcrumbs={[{ label: 'Acme', href: '/acme' }]}>
      rows
    </Page>,
  )
  expect(markup).toContain('not-last:after:content-[')
  expect(markup).not.toMatch(/ after:content-/)
})
