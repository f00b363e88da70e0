import { expect, test } from 'vitest'
import { targetingOfPage } from './page-targeting'

test.each([
  ['/pricing', 'https://shop.example/pricing', true],
  ['/pricing', 'https://shop.example/pricing/?utm_source=news#top', true],
  ['/pricing', 'https://shop.example/pricing/teams', false],
  ['/pricing', 'https://shop.example/old/pricing', false],
  ['/', 'https://shop.example/', true],
  ['/', 'https://shop.example?a=b', true],
  ['/', 'https://shop.example/pricing', false],
  ['/a.b', 'https://shop.example/aXb', false],
  ['/a.b(c)', 'https://shop.example/a.b(c)', true],
])('a survey on %s is shown at %s: %s', (path, address, isShown) => {
  expect(new RegExp(targetingOfPage(path).url?.value ?? '').test(address)).toBe(isShown)
})
