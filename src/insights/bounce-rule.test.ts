import { expect, test } from 'vitest'
import { bounceRuleText, durationText } from './bounce-rule'
import { answersOfProject, bounceRuleOf } from './project-settings'

test.each([
  [{}, { of: 'plausible', engagedSeconds: undefined }],
  // settings that were stored before there was a choice of rules
  [{ bounceSeconds: 15 }, { of: 'plausible', engagedSeconds: 15 }],
  [{ bounceRule: 'posthog' }, { of: 'posthog', seconds: 10 }],
  [
    { bounceRule: 'posthog', bounceSeconds: 30 },
    { of: 'posthog', seconds: 30 },
  ],
])('the answers %j mean %j', (answers, rule) => expect(bounceRuleOf({ answers })).toEqual(rule))

test('an unknown rule is answered with those that there are', () => {
  const { error } = answersOfProject.safeParse({ bounceRule: 'umami' })
  expect(error?.issues[0]?.message).toBe('Write one of: plausible, posthog.')
})

test.each([
  [{ of: 'plausible', engagedSeconds: undefined } as const, 'Plausible’s rule'],
  [{ of: 'plausible', engagedSeconds: 15 } as const, 'less than 15 seconds of engagement'],
  [{ of: 'posthog', seconds: 10 } as const, 'PostHog’s rule'],
])('the hint of %j says %s', (rule, text) => expect(bounceRuleText(rule)).toContain(text))

test.each([
  [{ of: 'plausible', engagedSeconds: undefined } as const, 'A bounce counts as 0.'],
  [{ of: 'posthog', seconds: 10 } as const, 'bounces included'],
])('the hint of the visit duration by %j says %s', (rule, text) => expect(durationText(rule)).toContain(text))
