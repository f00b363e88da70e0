import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectLinear } from '#test/running/growth'
import { selectorRegex } from './selector-regex'

const folder = join(import.meta.dirname, '../../../../test/recordings/posthog')

/** Every chain that a recorded client sent. */
const recordedChains = [
  ...new Set(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => [
        ...readFileSync(join(folder, name), 'utf8').matchAll(/\$elements_chain":\s*("(?:\\.|[^"\\])*")/g),
      ])
      .map(([, json = '""']) => String(JSON.parse(json))),
  ),
]

const button = recordedChains.find((chain) => chain.startsWith('button.btn.primary')) ?? ''
const link = recordedChains.find((chain) => chain.startsWith('a:')) ?? ''
const nested = `span:nth-child="1"nth-of-type="1"text="Buy; now";button.cta.md:flex:attr__aria-label="say \\"yes\\""attr__class="cta md:flex"attr__href="/a;b"attr__id="buy"attr_id="buy"nth-child="2"nth-of-type="1";main.shop:nth-child="1"nth-of-type="1";body:nth-child="2"nth-of-type="1"`

function matches(selector: string, chain: string): boolean {
  const compiled = selectorRegex(selector)
  if (!compiled.done) throw new Error(compiled.problems[0]?.message)
  return new RegExp(compiled.value).test(chain)
}

test('the recordings hold chains of a link, of a button and of an old client', () => {
  expect(recordedChains.length).toBeGreaterThanOrEqual(4)
  expect(button).not.toBe('')
  expect(link).not.toBe('')
})

describe('a selector finds what the browser finds, in recorded chains', () => {
  test.each([
    ['button', true],
    ['#b', true],
    ['#B', false],
    ['.primary', true],
    ['.prim', false],
    ['button.btn.primary#b', true],
    ['a', false],
    ['body > button', true],
    ['body button[data-attr="cta"]', true],
    ['button body', false],
    ['[data-attr]', true],
    ['[data-attr^="ct"]', true],
    ['[data-attr$="ct"]', false],
    ['[class~="btn"]', true],
    ['[class~="bt"]', false],
    ['button:nth-child(2)', true],
    ['button:nth-child(1)', false],
    ['button:first-of-type', true],
    ['a, button', true],
    ['a , .other', false],
    ['*', true],
  ])('%s: %s', (selector, found) => expect(matches(selector, button)).toBe(found))

  test('all clients, in whichever order they write attributes', () => {
    const found = recordedChains.filter((chain) => matches('button#b', chain))
    expect(found).toHaveLength(recordedChains.length - recordedChains.filter((one) => one === link).length)
    expect(matches('a[href="/page2"]', link)).toBe(true)
  })
})

test.each([
  ['#buy', true],
  ['main #buy span', true],
  ['main > span', false],
  ['main > button > span', true],
  [String.raw`.md\:flex`, true],
  ['.flex', false],
  ['[aria-label=\'say "yes"\']', true],
  ['[href="/a;b"]', true],
  ['body > main', true],
  ['text', false],
  ['now', false],
])('semicolons and quotes in values do not begin an element: %s', (selector, found) =>
  expect(matches(selector, nested)).toBe(found),
)

test.each([
  'a + b',
  'a ~ b',
  'a:hover',
  ':not(.x)',
  'a::before',
  '',
  '>',
  'a >',
  'a,',
  '[x|="y"]',
  'a{}',
  'x'.repeat(501),
])('“%s” is refused with a sentence', (selector) =>
  expect(selectorRegex(selector)).toMatchObject({
    done: false,
    problems: [{ message: expect.stringMatching(/selector.*[.]$/i) }],
  }),
)

test('a long chain with unbalanced quotes takes no longer than it is', async () => {
  await expectLinear((size) => {
    const chain = `button:text="${'";a:x="'.repeat(size)}`
    return () => expect(matches('main > a.b[c*="d"] #e', chain)).toBe(false)
  }, 10_000)
})
