import { expect, test } from 'vitest'
import { publicSurveyWith } from '#test/product/every-survey-kind'
import { defaultAppearance, type SurveyAppearance } from '#surveys/survey'
import { defaultSite } from './site'
import { accentsOf } from './site-accents'
import { darkSurveySheet } from './survey-look'

const { light, dark } = accentsOf(defaultSite)

const surveyWith = (more: Partial<SurveyAppearance>) => {
  const survey = publicSurveyWith()
  return { ...survey, content: { ...survey.content, appearance: { ...defaultAppearance, ...more } } }
}

test.each<[string, Partial<SurveyAppearance>, boolean]>([
  ['the usual colours', {}, true],
  ['the colours of the site', { buttonColor: light, ratingActiveColor: light }, true],
  ['a button of its own', { buttonColor: '#7c3aed' }, false],
  ['a background of its own', { backgroundColor: '#fef3c7' }, false],
])('a survey with %s follows a dark site: %s', (_, appearance, follows) => {
  const sheet = darkSurveySheet(surveyWith(appearance), defaultSite)
  expect(sheet.includes('--tilth-background:var(--tilth-site-background,#1d1c19)')).toBe(follows)
  expect(sheet.includes(`--tilth-button:var(--tilth-site-button,${dark})`)).toBe(follows)
})

test.each([
  ['system', /^@media \(prefers-color-scheme:dark\)\{#tilth-survey-survey/],
  ['dark', /^#tilth-survey-survey/],
  ['light', /^$/],
] as const)('a site that is %s', (appearance, sheet) =>
  expect(darkSurveySheet(surveyWith({}), { ...defaultSite, appearance })).toMatch(sheet),
)
