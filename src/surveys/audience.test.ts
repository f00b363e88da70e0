import { expect, test } from 'vitest'
import { audienceInWords, surveyAudience } from './audience'

const plan = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] } as const

test('conditions that events can tell become a cohort; the others are named', () => {
  const { definition, left } = surveyAudience(
    {
      url: { match: 'contains', value: '/pricing' },
      person: {
        all: [
          { ...plan, value: ['pro'] },
          { type: 'cohort', cohort: 'c1', operator: 'not_in' },
        ],
      },
      triggers: [{ kind: 'event', event: 'upgrade', properties: [] }],
      flag: { key: 'beta' },
      languages: ['de'],
    },
    7,
  )
  expect(definition).toEqual({
    all: [
      {
        did: {
          event: null,
          filter: { all: [{ type: 'event', key: '$current_url', operator: 'icontains', value: '/pricing' }] },
        },
        within: { days: 7 },
      },
      { is: plan },
      { not: { in: 'c1' } },
      { any: [{ did: { event: 'upgrade' }, within: { days: 7 } }] },
    ],
  })
  expect(left).toEqual(['This count ignores the flag.', 'This count ignores language and screen width.'])
})

test('without conditions everyone who was there counts', () => {
  expect(surveyAudience({}, 7)).toEqual({
    definition: { all: [{ did: { event: null }, within: { days: 7 } }] },
    left: [],
  })
  expect(audienceInWords({}, (key) => key)).toEqual(['Everyone who opens a page'])
})

test('conditions are told in words, one a line', () => {
  const lines = audienceInWords(
    {
      person: { ...plan, value: ['pro'] },
      percentage: 20,
      flag: { key: 'checkout', variant: 'test' },
      url: { match: 'not-exact', value: 'https://example.com/' },
      deviceTypes: ['Desktop', 'Tablet'],
      screenWidth: { from: 600 },
      triggers: [
        { kind: 'event', event: 'upgrade', properties: [] },
        { kind: 'action', name: 'Buy', steps: [{ selector: '#buy' }] },
      ],
      repeatsOnTrigger: true,
      delaySeconds: 5,
      exitIntent: false,
      waitDays: 30,
    },
    (key) => key,
  )
  expect(lines).toEqual([
    'Persons where plan is pro',
    '20% of them',
    'With flag checkout on variant test',
    'On pages whose address is not https://example.com/',
    'On desktop or tablet',
    'On screens at least 600 px wide',
    'After the event upgrade or the action Buy, every time',
    'After 5 seconds',
    'Not within 30 days of another survey',
  ])
})
