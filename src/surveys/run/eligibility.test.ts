import { expect, test } from 'vitest'
import type { PropertyCondition } from '#filters/filter'
import type { SurveyTargeting, SurveyTrigger } from '../survey'
import { isEligible, type PageFacts } from './eligibility'
import { publicSurveyWith } from '#test/product/every-survey-kind'
import { type PageEvent, triggersOn } from './triggers'

const page: PageFacts = {
  href: 'https://shop.example/Pricing?from=mail',
  has: (selector) => selector === '#buy',
  deviceType: 'Desktop',
  languages: ['de-AT', 'en'],
  widthPx: 1000,
  now: Date.parse('2026-05-10T12:00:00Z'),
  memory: { done: [], lastShownAt: Date.parse('2026-05-07T12:00:00Z') },
}

test.each<[SurveyTargeting, boolean]>([
  [{}, true],
  [{ url: { match: 'contains', value: '/pricing' } }, true],
  [{ url: { match: 'not-contains', value: '/pricing' } }, false],
  [{ url: { match: 'exact', value: '/Pricing' } }, false],
  [{ url: { match: 'exact', value: 'https://shop.example/Pricing?from=mail' } }, true],
  [{ url: { match: 'not-exact', value: '/Pricing' } }, true],
  [{ url: { match: 'regex', value: 'from=(mail|post)$' } }, true],
  [{ url: { match: 'regex', value: '(' } }, false],
  [{ url: { match: 'not-regex', value: 'mail' } }, false],
  [{ selector: '#buy' }, true],
  [{ selector: '#sell' }, false],
  [{ deviceTypes: ['Mobile', 'Tablet'] }, false],
  [{ deviceTypes: ['Desktop'] }, true],
  [{ languages: ['de'] }, true],
  [{ languages: ['de-DE'] }, false],
  [{ screenWidth: { from: 1001 } }, false],
  [{ screenWidth: { from: 600, until: 1000 } }, true],
  [{ waitDays: 3 }, true],
  [{ waitDays: 4 }, false],
])('%j', (targeting, eligible) => expect(isEligible(publicSurveyWith({ targeting }), page)).toBe(eligible))

test.each([
  // the survey                                                                      remembered    shown
  [{}, ['survey'], false],
  [{ isRepeatable: true }, ['survey'], true],
  [{ iteration: { number: 2, startedAt: '2026-05-01T00:00:00Z' } }, ['survey/1'], true],
  [{ iteration: { number: 2, startedAt: '2026-05-01T00:00:00Z' } }, ['survey/2'], false],
])('%j after %j', (more, done, eligible) =>
  expect(isEligible(publicSurveyWith(more), { ...page, memory: { done } })).toBe(eligible),
)

const bought: PageEvent = {
  name: 'bought',
  properties: { plan: 'Team', seats: 5 },
  url: 'https://shop.example/',
}
const clicked: PageEvent = {
  name: '$autocapture',
  properties: {},
  url: 'https://shop.example/pricing',
  element: { matches: (selector) => selector === '.buy', text: 'Buy now', href: '' },
}
const event = (properties: Omit<PropertyCondition, 'type'>[], name = 'bought'): SurveyTrigger => ({
  kind: 'event',
  event: name,
  properties: properties.map((one) => ({ type: 'event', ...one })),
})

test.each<[SurveyTrigger, PageEvent, boolean]>([
  [event([]), bought, true],
  [event([], 'sold'), bought, false],
  [event([{ key: 'plan', operator: 'exact', value: ['Free', 'Team'] }]), bought, true],
  [event([{ key: 'plan', operator: 'is_not', value: 'Team' }]), bought, false],
  [event([{ key: 'seats', operator: 'gt', value: 4 }]), bought, true],
  [event([{ key: 'seats', operator: 'lt', value: 5 }]), bought, false],
  [event([{ key: 'absent', operator: 'is_not', value: 'x' }]), bought, false],
  [event([{ key: 'absent', operator: 'is_not_set' }]), bought, true],
  [{ kind: 'action', name: 'buy', steps: [{ selector: '.buy' }] }, clicked, true],
  [{ kind: 'action', name: 'buy', steps: [{ selector: '.sell' }] }, clicked, false],
  [{ kind: 'action', name: 'buy', steps: [{ text: { match: 'contains', value: 'buy' } }] }, clicked, true],
  [
    {
      kind: 'action',
      name: 'buy',
      steps: [{ selector: '.buy', url: { match: 'contains', value: '/blog' } }],
    },
    clicked,
    false,
  ],
  [{ kind: 'action', name: 'nothing', steps: [{}] }, clicked, false],
])('%j is triggered by %j: %s', (trigger, happened, isTriggered) =>
  expect(triggersOn([trigger], happened)).toBe(isTriggered),
)
