import { describe, expect, test } from 'vitest'
import type { Answer, SurveyQuestion } from '../question'
import { answerProblem } from './check-answer'
import { everyKind } from '#test/product/every-survey-kind'
import { wordsFor } from './words'

const words = wordsFor('en')
const required = (kind: SurveyQuestion['kind'], more: object = {}): SurveyQuestion =>
  // the fixture has a question of each kind; `more` changes fields that the kind has
  ({ ...everyKind.find((question) => question.kind === kind), isRequired: true, ...more }) as SurveyQuestion

describe('an answer is checked by its kind', () => {
  test.each<[SurveyQuestion, Answer | undefined, string | undefined]>([
    // the question                                       the answer                       what is wrong
    [required('open'), 'Fast', undefined],
    [required('open'), '', words.required],
    [required('open'), 3, words.required],
    [required('open', { minLength: 5 }), ' ab  ', 'Write at least 5 characters.'],
    [required('open', { maxLength: 3 }), 'abcd', 'Write at most 3 characters.'],
    [required('open'), '<script>alert(1)</script>', undefined],
    [required('open'), 'x'.repeat(10_001), 'Write at most 10000 characters.'],
    [required('rating'), 0, undefined],
    [required('rating'), 10, undefined],
    [required('rating'), 11, 'Choose a value from 0 to 10.'],
    [required('rating'), '7', 'Choose a value from 0 to 10.'],
    [required('rating'), 7.5, 'Choose a value from 0 to 10.'],
    [required('rating', { scale: 5 }), 0, 'Choose a value from 1 to 5.'],
    [required('single-choice'), 'Free', undefined],
    [required('single-choice'), 'Gold', words.notAChoice],
    [required('single-choice', { hasOther: true }), 'Gold', undefined],
    [required('multiple-choice'), ['Speed', 'Price'], undefined],
    [required('multiple-choice'), ['Speed', 'Speed'], words.notAChoice],
    [required('multiple-choice'), ['mine', 'yours'], words.notAChoice],
    [required('multiple-choice', { minChoices: 2 }), ['Speed'], 'Choose at least 2 answers.'],
    [required('multiple-choice', { maxChoices: 1 }), ['Speed', 'Price'], 'Choose at most 1 answers.'],
    [required('link'), 'link clicked', undefined],
    [required('link'), 'anything', words.notAChoice],
    [required('ranking'), ['B', 'A', 'C'], undefined],
    [required('ranking'), ['B', 'A'], words.rankAll],
    [required('ranking'), ['B', 'A', 'A'], words.rankAll],
    [required('matrix'), { app: 'good', docs: 'bad' }, undefined],
    [required('matrix'), { app: 'good' }, words.answerEachRow],
    [required('matrix'), { app: 'fine', docs: 'bad' }, words.notAChoice],
    [required('matrix'), ['good'], words.notAChoice],
    [required('picture'), ['Cat'], undefined],
    [required('picture'), 'Cat', undefined],
    [required('picture'), ['Cat', 'Dog'], 'Choose at most 1 answers.'],
    [required('date'), '2026-05-01', undefined],
    [required('date'), '2026-02-30', words.notADate],
    [required('date', { earliest: '2026-05-02' }), '2026-05-01', 'Choose 2026-05-02 or a later date.'],
    [required('date', { latest: '2026-05-02' }), '2026-06-01', 'Choose 2026-05-02 or an earlier date.'],
    [required('contact'), { name: 'Ana', email: 'ana@example.com' }, undefined],
    [required('contact'), { name: 'Ana' }, 'Fill in: E-mail address.'],
    [required('contact'), { email: 'ana' }, words.notAnEmail],
    [required('contact'), { email: 'ana@example.com', bank: '1' }, words.notAChoice],
    [required('consent'), true, undefined],
    [required('consent'), false, words.consentNeeded],
    [required('consent'), 'yes', words.notAChoice],
    [required('statement'), undefined, undefined],
    [required('statement'), 'hello', words.takesNoAnswer],
  ])('%# %j %j', (question, answer, problem) => expect(answerProblem(question, answer, words)).toBe(problem))

  test.each(everyKind)('$kind may be skipped where it is not required', (question) =>
    expect(answerProblem({ ...question, isRequired: false }, '', words)).toBeUndefined(),
  )
})
