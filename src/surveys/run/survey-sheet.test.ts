import { expect, test } from 'vitest'
import { openQuestion, npsQuestion } from '#test/product/some-survey'
import { contentWith, everyKind, publicSurveyWith } from '#test/product/every-survey-kind'
import { surveySheet } from './survey-sheet'

const sheetOf = (questions: Parameters<typeof contentWith>[0]): string =>
  surveySheet(publicSurveyWith({ content: contentWith(questions) }))

test('rules for kinds that few surveys have are left out of the others', () => {
  expect(sheetOf([npsQuestion, openQuestion])).not.toMatch(/\.matrix|@container/)
  expect(sheetOf(everyKind)).toContain('.matrix')
})
