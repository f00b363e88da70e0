import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openQuestion, npsQuestion } from '#test/product/some-survey'
import { contentWith, everyKind, publicSurveyWith } from '#test/product/every-survey-kind'
import { surveySheet } from './survey-sheet'

const sheetOf = (questions: Parameters<typeof contentWith>[0]): string =>
  surveySheet(publicSurveyWith({ content: contentWith(questions) }))

test('on a page of Tilth’s site a survey wears the site’s dress, elsewhere its own', () => {
  const sheet = sheetOf([openQuestion])
  expect(sheet).toContain('color-scheme:var(--tilth-site-scheme,light)')
  expect(sheet).toContain('--tilth-font:var(--tilth-site-font,system-ui')
  const worn = [...sheet.matchAll(/var\(--tilth-site-([a-z-]+)/g)].map(([, name]) => name)
  const site = readFileSync(join(import.meta.dirname, '../../app/(site)/site.css'), 'utf8')
  const named = [...site.matchAll(/^  --tilth-site-([a-z-]+):/gm)].map(([, name]) => name)
  expect(new Set(worn)).toEqual(new Set(named))
  expect(worn).toHaveLength(12)
})

test('rules for kinds that few surveys have are left out of the others', () => {
  expect(sheetOf([npsQuestion, openQuestion])).not.toMatch(/\.matrix|@container/)
  expect(sheetOf(everyKind)).toContain('.matrix')
})
