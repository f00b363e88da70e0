import { expect, test } from 'vitest'
import { newElementChange, webDraftOf, webInputOf } from './web-draft'

test('what is saved comes back as it was, without empty parts', () => {
  const web = {
    assignedBy: 'flag' as const,
    previewsDraft: true,
    variants: { test: { transforms: [{ selector: 'h1', html: '<b>New</b>' }] } },
  }
  expect(webInputOf(webDraftOf(web, ['test', 'other']))).toEqual(web)
})

test('without a change there is nothing to tell posthog-js', () => {
  expect(webInputOf(webDraftOf(undefined, ['test']))).toBeNull()
})

test('conditions are those of the pages, and only where they assign variants', () => {
  const change = newElementChange({ selector: 'h1', css: 'color: teal' })
  const variants = [
    { key: 'test', url: '/pricing', conditions: { urlMatchType: 'exact' as const }, changes: [change] },
  ]
  const transforms = [{ selector: 'h1', css: 'color: teal' }]
  const input = (assignedBy: 'flag' | 'conditions') =>
    webInputOf({ assignedBy, previewsDraft: false, variants })
  expect(input('conditions')).toMatchObject({
    variants: { test: { transforms, conditions: { url: '/pricing', urlMatchType: 'exact' } } },
  })
  expect(input('flag')).toEqual({
    assignedBy: 'flag',
    previewsDraft: false,
    variants: { test: { transforms } },
  })
})
