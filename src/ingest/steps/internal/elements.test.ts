import { expect, test } from 'vitest'
import type { Properties } from '#events/event'
import { anIngestContext, anEnvelope, expectKept, withProperties } from '#test/product/ingest-fixture'

async function chainOf(properties: Properties): Promise<string | undefined> {
  return expectKept(withProperties(properties), anEnvelope(), await anIngestContext()).columns.elements
}

const button = {
  tag_name: 'button',
  $el_text: 'Click me',
  classes: ['primary', 'btn'],
  attr__id: 'b',
  attr__class: 'btn primary',
  'attr__data-attr': 'cta',
  nth_child: 2,
  nth_of_type: 1,
}
const body = { tag_name: 'body', nth_child: 2, nth_of_type: 1 }

test('a list of elements becomes the chain posthog-js writes for the same click', async () => {
  const chain =
    'button.btn.primary:attr__class="btn primary"attr__data-attr="cta"attr__id="b"attr_id="b"nth-child="2"nth-of-type="1"text="Click me";body:nth-child="2"nth-of-type="1"'
  expect(await chainOf({ $elements: [button, body] })).toBe(chain)
  expect(await chainOf({ $elements_chain: chain, $elements: [body] })).toBe(chain)
})

test.each([
  [{ $el_text: 'say "hi" \\o/' }, String.raw`a:text="say \"hi\" \\o/"`],
  [
    { attr__href: 'https://example.com/reset?token=x&a=1' },
    'a:attr__href="https://example.com/reset?a=1"href="https://example.com/reset?a=1"',
  ],
  [{ attr__href: '/reset?token=x' }, 'a:attr__href="/reset"href="/reset"'],
  [{ classes: [] }, 'a:'],
  [{ classes: [1, null, { a: 1 }], nth_child: null }, 'a.1:'],
])('%o reads %s', async (attributes, chain) => {
  expect(await chainOf({ $elements: [{ tag_name: 'a', ...attributes }] })).toBe(chain)
})

test.each([['nothing'], [7], [[null, 3, 'x']], [{}]])('%o are no elements', async ($elements) => {
  expect(await chainOf({ $elements })).toBeUndefined()
})

test('links in a chain lose their secrets', async () => {
  const chain = 'a:attr__href="https://example.com/?email=a@b.co&x=1"href="/x?token=1"nth-child="1"'
  expect(await chainOf({ $elements_chain: chain })).toBe(
    'a:attr__href="https://example.com/?x=1"href="/x"nth-child="1"',
  )
})

test('a chain that is too long ends after a whole element', async () => {
  const element = `div:text="a;b \\" c"nth-child="1"`
  const chain = await chainOf({ $elements_chain: Array.from({ length: 1000 }, () => element).join(';') })
  expect(chain?.length).toBeLessThanOrEqual(10_000)
  expect(chain?.endsWith('nth-child="1"')).toBe(true)
})
