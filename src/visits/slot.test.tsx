import { AsyncLocalStorage } from 'node:async_hooks'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useFlag, Variant, VisitProvider } from './Provider'
import { bootstrapOf, splitAtSlot, slotContent } from './slot'
import { PageVisit, readVisit, type Visit, writeVisit } from './visit'

const visit: Visit = {
  projectId: 1,
  visitor: 'ana',
  isCookieless: true,
  decisions: { cta: true, off: false, colour: 'blue', theirs: 'secret', 'post-42-1': 'b' },
  payloads: { colour: { x: '</script>\u2028' }, theirs: 1 },
  withheld: ['theirs', 'post-42-1'],
  isTried: false,
}

describe('what a browser is told', () => {
  test('is what posthog-js takes as bootstrap, without what is for servers', () => {
    expect(bootstrapOf(visit)).toEqual({
      distinctID: 'ana',
      featureFlags: { cta: true, off: false, colour: 'blue' },
      featureFlagPayloads: { colour: { x: '</script>\u2028' } },
    })
  })

  test('can neither end its script nor a line of it, and is read as it was', () => {
    expect(slotContent(visit)).not.toMatch(/[<\u2028]/)
    expect(JSON.parse(slotContent(visit))).toEqual(bootstrapOf(visit))
  })

  test('has its place where React has written the provider', () => {
    const html = renderToStaticMarkup(<VisitProvider>after</VisitProvider>)
    expect(splitAtSlot(html)).toEqual(['<script type="application/json" id="tilth-visit">', '</script>after'])
    expect(splitAtSlot('<p>filled in for each visitor</p>')).toBeUndefined()
  })
})

describe('parts that ask by the name of a flag', () => {
  const visits = new AsyncLocalStorage<PageVisit>()
  const place = Symbol.for('tilth.visit')
  beforeEach(() => void Object.defineProperty(globalThis, place, { value: visits, configurable: true }))
  afterEach(() => void Reflect.deleteProperty(globalThis, place))

  const Value = ({ of }: { of: string }) => <>{String(useFlag(of))}</>
  const rendered = (page: PageVisit, part: React.ReactNode) =>
    visits.run(page, () => renderToStaticMarkup(part))

  test.each<[string, string]>([
    ['cta', 'true'],
    ['off', 'false'],
    ['colour', 'blue'],
    // a browser could not know it, and would draw something else
    ['theirs', 'false'],
    ['unknown', 'false'],
    ['constructor', 'false'],
  ])('%s is %s', (of, value) => {
    expect(rendered(new PageVisit(visit), <Value of={of} />)).toBe(value)
  })

  test.each<[React.ComponentProps<typeof Variant>, boolean]>([
    [{ of: 'colour', is: 'blue', children: 'x' }, true],
    [{ of: 'colour', is: 'red', children: 'x' }, false],
    [{ of: 'colour', children: 'x' }, true],
    [{ of: 'cta', children: 'x' }, true],
    [{ of: 'off', children: 'x' }, false],
    [{ of: 'off', is: false, children: 'x' }, true],
  ])('a variant %j is shown: %s', (props, isShown) => {
    expect(rendered(new PageVisit(visit), <Variant {...props} />) !== '').toBe(isShown)
  })

  test('what they asked for is what the page uses, and is marked in the page', () => {
    const page = new PageVisit(visit)
    const html = rendered(page, <Variant of="colour">x</Variant>)
    expect(page.uses).toEqual(['colour'])
    expect(html).toBe('<div data-flag="colour" data-variant="blue">x</div>')
  })
})

describe('a page says of its visit', () => {
  test('what it used, in order, each once', () => {
    const page = new PageVisit(readVisit(writeVisit(visit)))
    for (const key of ['off', 'cta', 'off']) page.variant(key)
    page.payload('colour')
    expect(page.uses).toEqual(['colour', 'cta', 'off'])
  })

  test.each<[string, (page: PageVisit) => void, string | undefined]>([
    ['nothing, where it has no wish', () => {}, undefined],
    ['the shortest time it wished for', (page) => [60, 30, 90].forEach((s) => page.cacheFor(s)), '30'],
    ['that it is nobody else’s', (page) => page.doNotCache(), 'no'],
    [
      'that it is nobody else’s, whatever else it says',
      (page) => (page.doNotCache(), page.cacheFor(9)),
      'no',
    ],
  ])('%s', (_what, wish, keep) => {
    const page = new PageVisit(visit)
    wish(page)
    expect(page.keep).toBe(keep)
  })
})
