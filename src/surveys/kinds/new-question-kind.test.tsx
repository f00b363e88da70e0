import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import type { Json } from '#events/event'
import type { AnswerValue } from '#insights/kinds/survey/schema'
import type { Answer, QuestionKind, SurveyQuestion } from '../question'
import type { AnswerDefinition } from './internal/answer-definition'
import type { QuestionDefinition } from './internal/question-definition'
import type { KindRules } from './kind-rules'

/** A kind that Tilth does not have: a value from 0 to the highest one. Its types are those of a kind that it has. */
const added: string = 'slider'

const question: QuestionDefinition<'open'> = {
  label: 'Slider',
  hint: 'A value on a line',
  // `blank` returns the fields of a kind that has no type
  blank: () => ({ highest: 50 }) as never,
}

const highestOf = (asked: SurveyQuestion): number =>
  Number(Object.entries(asked).find(([name]) => name === 'highest')?.[1])

const rules: KindRules<'open'> = {
  draw: ({ id, ...asked }) => `<input type="range" name="answer.${id}" max="${highestOf({ id, ...asked })}">`,
  read: (_, { text }) => Number(text()),
  check: (asked, answer) => (Number(answer) <= highestOf(asked) ? undefined : 'Too high.'),
}

const answers: AnswerDefinition<'open'> = {
  accepts: (answer) => typeof answer === 'number',
  parse: Number,
  results: (_, { counts }) => ({
    choices: counts.map(([code, count]) => ({
      id: String(code),
      text: String(code),
      count,
      share: undefined,
    })),
  }),
  counted: ({ choices = [] }) => choices.map(({ text, count }) => ({ answer: text, count })),
}

vi.resetModules()
// one entry in each table: all that a new kind needs besides its folder
vi.doMock(import('./internal/question-schemas'), async (original) => {
  const { questionSchemas } = await original()
  const { questionFields } = await import('./internal/question-fields')
  const slider = z.strictObject({ kind: z.literal(added), ...questionFields, highest: z.number().int() })
  return { questionSchemas: [...questionSchemas, slider] as unknown as typeof questionSchemas }
})
vi.doMock(import('./question-kinds'), async (original) => {
  const { questionKinds } = await original()
  return { questionKinds: plus(questionKinds, question) }
})
vi.doMock(import('./rare-kinds'), async (original) => {
  const { rareKinds } = await original()
  return { rareKinds: plus(rareKinds, rules) }
})
vi.doMock(import('./internal/answer-kinds'), async (original) => {
  const { answerKinds } = await original()
  return { answerKinds: plus(answerKinds, answers) }
})
vi.doMock(import('#insights/kinds/survey/internal/answer-kind-names'), async (original) => {
  const { answerKindNames } = await original()
  return { answerKindNames: [...answerKindNames, added] as unknown as typeof answerKindNames }
})
vi.doMock(import('#insights/kinds/survey/internal/answer-kinds'), async (original) => {
  const { answerKinds, ...others } = await original()
  const { sql } = await import('#engine/sql')
  const codes: (typeof answerKinds)[QuestionKind] = {
    form: () => 'code',
    read: (_, raw) => sql`if(${raw} != '', toUInt64OrZero(${raw}) + 1, 0)`,
    codeOf: (value) => (typeof value === 'number' ? value : undefined),
  }
  return { ...others, answerKinds: plus(answerKinds, codes) }
})
vi.doMock(import('#studio/surveys/kinds/kind-fields'), async (original) => {
  const { kindFields } = await original()
  const fields: (typeof kindFields)[QuestionKind] = ({ question: asked }) => (
    <label>Highest: {highestOf(asked)}</label>
  )
  return { kindFields: plus(kindFields, fields) }
})
vi.doMock(import('#studio/surveys/kinds/kind-results'), async (original) => {
  const { kindResults } = await original()
  const { choiceBars } = await import('#studio/surveys/kinds/kind-result')
  const result: (typeof kindResults)[QuestionKind] = {
    draw: (_, results) => choiceBars([], results, false),
    valueInWords: (value) => `${JSON.stringify(value)} points`,
  }
  return { kindResults: plus(kindResults, result) }
})

/** A table with an entry for the kind that is added. */
const plus = <Table extends object>(table: Table, entry: unknown): Table => ({ ...table, [added]: entry })

// the modules of a product that knows the kind, which the other files of this process do not share
const { anEngine } = await import('#test/product/test-engine')
const { aFolder, aWorld, present, requireDone } = await import('#test/product/fixture')
const { operator } = await import('#projects/access')
const { openProduct } = await import('#server/product')
const { BuilderProvider } = await import('#studio/surveys/builder/BuilderContext')
const { kindEntries, newQuestion } = await import('#studio/surveys/builder/question-kinds')
const { QuestionEditor } = await import('#studio/surveys/builder/QuestionEditor')
const { conditionInWords } = await import('#studio/surveys/results/condition-words')
const { currentResults, questionResult } = await import('#studio/surveys/results/question-results')
const { answerInWords } = await import('#studio/surveys/responses/answer-words')
const { contentWith } = await import('#test/product/every-survey-kind')
const { fieldName } = await import('../internal/form-fields')
const { countedAnswers } = await import('../results/question-results')
const { answerFromForm } = await import('../run/answer-from-form')
const { answerProblem } = await import('../run/check-answer')
const { questionHtml } = await import('../run/survey-html')
const { wordsFor } = await import('../run/words')
const { answerKinds } = await import('./internal/answer-kinds')

const testEngine = anEngine()
const viewer = operator()
const words = wordsFor('en')
const period = '2026-03-01..2026-03-31'

afterAll(() => vi.resetModules())

interface Walk {
  /** The fields of a new question that a member fills in before the survey can be kept. */
  filledIn?: object
  /** A submitted form, by the part of the question; the empty name is the question itself. */
  form?: Record<string, string | string[]>
  answer?: Answer
  /** The answer as a member reads it. */
  inWords?: string
  /** A value that a filter of the results names, and its words. */
  value?: [AnswerValue, string]
  /** The answer among those that are counted. */
  counted?: object
}

/** The way of one question of each kind, from the builder to the words of its result. New questions have these ids. */
const walks: Record<QuestionKind, Walk> = {
  open: { form: { '': 'Fast' }, answer: 'Fast', inWords: 'Fast' },
  rating: {
    form: { '': '9' },
    answer: 9,
    inWords: '9',
    value: [9, '9'],
    counted: { answer: '9', count: 1, share: 1 },
  },
  'single-choice': {
    form: { '': 'Option 2' },
    answer: 'Option 2',
    inWords: 'Option 2',
    value: ['single-choice-3', 'Option 2'],
    counted: { answer: 'Option 2', count: 1 },
  },
  'multiple-choice': {
    form: { '': ['Option 1', 'Option 2'] },
    answer: ['Option 1', 'Option 2'],
    inWords: 'Option 1, Option 2',
    value: ['multiple-choice-2', 'Option 1'],
    counted: { answer: 'Option 2', count: 1 },
  },
  link: {
    filledIn: { link: 'https://example.com/' },
    form: { '': 'link clicked' },
    answer: 'link clicked',
    inWords: 'link clicked',
  },
  ranking: {
    form: { 'ranking-2': '2', 'ranking-3': '1', 'ranking-4': '3' },
    answer: ['Option 2', 'Option 1', 'Option 3'],
    inWords: 'Option 2, Option 1, Option 3',
    value: ['ranking-3', 'Option 2 first'],
    counted: { answer: 'Option 2', count: 1, meanRank: 1 },
  },
  matrix: {
    form: { 'matrix-2': 'matrix-6', 'matrix-3': 'matrix-4' },
    answer: { 'matrix-2': 'matrix-6', 'matrix-3': 'matrix-4' },
    inWords: 'Row 1: Good; Row 2: Bad',
    value: [{ row: 'matrix-2', column: 'matrix-6' }, 'Row 1: Good'],
    counted: { answer: 'Row 1: Good', count: 1 },
  },
  picture: {
    filledIn: {
      choices: ['picture-2', 'picture-3'].map((id) => ({
        id,
        text: id,
        imageUrl: `https://example.com/${id}`,
      })),
    },
    form: { '': 'picture-3' },
    answer: 'picture-3',
    inWords: 'picture-3',
    value: ['picture-3', 'picture-3'],
    counted: { answer: 'picture-3', count: 1 },
  },
  date: {
    form: { '': '2026-03-02' },
    answer: '2026-03-02',
    inWords: '2026-03-02',
    value: ['2026-03-02', '2026-03-02'],
    counted: { answer: '2026-03-02', count: 1 },
  },
  contact: {
    form: { email: 'ana@example.com' },
    answer: { email: 'ana@example.com' },
    inWords: 'email: ana@example.com',
  },
  consent: {
    form: { '': 'yes' },
    answer: true,
    inWords: 'Yes',
    value: [true, 'Given'],
    counted: { answer: 'Given', count: 1 },
  },
  statement: {},
  [added]: {
    form: { '': '7' },
    answer: 7,
    inWords: '7',
    value: [7, '7 points'],
    counted: { answer: '7', count: 1 },
  },
}
// the table's own keys, and that of the added kind, which no type knows
const kinds = Object.keys(walks) as QuestionKind[]

function newQuestionOf(kind: QuestionKind): SurveyQuestion {
  let last = 0
  const fresh = newQuestion(kind, () => `${kind}-${++last}`)
  return { ...fresh, text: `${kind}?`, ...walks[kind].filledIn }
}

const questions = kinds.map(newQuestionOf)
const questionOf = (kind: QuestionKind): SurveyQuestion => present(questions.find((one) => one.kind === kind))

/** A survey that asks all kinds, with one response to all of them. */
async function answeredSurvey() {
  const properties = questions.flatMap(({ id, kind }) => {
    const { answer } = walks[kind]
    const stored = typeof answer === 'object' ? JSON.stringify(answer) : String(answer)
    return answer === undefined ? [] : [[`$survey_response_${id}`, stored]]
  })
  const project = await testEngine.addProject([
    {
      person: 'ana',
      event: 'survey sent',
      at: 1,
      properties: { $survey_id: 'all-kinds', ...Object.fromEntries(properties) },
    },
  ])
  const store = { folder: aFolder() }
  const product = await openProduct({ store, world: aWorld('kinds'), engine: testEngine.engine() })
  onTestFinished(() => product.close())
  requireDone(await product.projects.create({ name: 'Acme' }, viewer))
  const survey = { id: 'all-kinds', name: 'All kinds', content: { questions } }
  requireDone(await product.surveys.create(project, survey, viewer))
  return { project, surveys: product.surveys }
}

test('a kind is offered and has an entry in every table, also one that is added', () => {
  expect(kindEntries.map(({ kind }) => kind).toSorted()).toEqual(kinds.toSorted())
  expect(Object.keys(answerKinds).toSorted()).toEqual(kinds.toSorted())
})

describe.each(kinds)('%s', (kind) => {
  const asked = questionOf(kind)
  const { form = {}, answer, inWords, value } = walks[kind]

  test('is edited in the builder', () => {
    const builder = {
      content: contentWith([asked]),
      changeContent: () => {},
      problems: {},
      choices: { slug: 'acme', flags: [] },
    }
    const drawn = renderToStaticMarkup(
      <BuilderProvider value={builder}>
        <QuestionEditor question={asked} index={0} />
      </BuilderProvider>,
    )
    expect(drawn).toContain(`${kind}?`)
    if (kind === added) expect(drawn).toContain('Highest: 50')
  })

  test('is drawn for a visitor, and its answer is read from the form and checked', () => {
    const drawn = questionHtml({ question: asked, words, known: { answers: {}, fields: {} } })
    expect(drawn).toContain(`${kind}?`)
    const submitted = new FormData()
    for (const [part, values] of Object.entries(form)) {
      const name = fieldName(asked, part || undefined)
      expect(drawn).toContain(`name="${name}"`)
      for (const one of [values].flat()) submitted.append(name, one)
    }
    const given = answerFromForm(asked, submitted)
    expect(given).toEqual(answer)
    expect(answerProblem(asked, given, words)).toBeUndefined()
    if (given !== undefined) expect(answerKinds[kind].accepts(given as Json, asked)).toBe(true)
  })

  test('is read by members in words', () => {
    if (answer !== undefined) expect(answerInWords(answer, asked)).toBe(inWords)
    if (value) expect(conditionInWords({ question: asked.id, values: [value[0]] }, asked)).toBe(value[1])
  })
})

test('a survey of all kinds is kept, answered, counted, narrowed and drawn', async () => {
  const { project, surveys } = await answeredSurvey()
  const survey = present(await surveys.find(project, 'all-kinds', viewer))
  expect(survey.content.questions).toEqual(questions)

  const { responses } = requireDone(await surveys.results.responses(project, 'all-kinds', { period }, viewer))
  const given = new Map(responses[0]?.answers.map((one) => [one.question, one.answer]))
  const { results } = requireDone(await surveys.results.results(project, 'all-kinds', { period }, viewer))
  for (const asked of questions) {
    const { answer, value, counted } = walks[asked.kind]
    expect(given.get(asked.id), asked.id).toEqual(answer)
    const found = currentResults(asked, results.questions)
    expect(questionResult(asked, found).answered, asked.id).toBe(answer === undefined ? 0 : 1)
    expect(found ? countedAnswers(found) : [], asked.id).toEqual(
      counted ? expect.arrayContaining([expect.objectContaining(counted)]) : [],
    )
    if (!value) continue
    const narrowed = { period, answers: [{ question: asked.id, values: [value[0]] }] }
    const { submissions } = requireDone(
      await surveys.results.counts(project, 'all-kinds', narrowed, viewer),
    ).results
    expect(submissions.responded, asked.id).toBe(1)
  }
})

test('the folder of a kind has the same files as every other one', () => {
  const filesIn = (folder: string) => readdirSync(join(import.meta.dirname, folder), { withFileTypes: true })
  const folders = filesIn('.').flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'internal' ? [entry.name] : [],
  )
  expect(folders.toSorted()).toEqual(
    [
      ...new Set(kinds.filter((kind) => kind !== added).map((kind) => kind.replace(/.+-choice/, 'choice'))),
    ].toSorted(),
  )
  for (const folder of folders) {
    expect(
      filesIn(folder)
        .map(({ name }) => name)
        .toSorted(),
      folder,
    ).toEqual(['answers.ts', 'run.ts', 'schema.ts', `${folder}.ts`].toSorted())
    expect(
      existsSync(join(import.meta.dirname, '../../studio/surveys/kinds', folder, 'result.ts')),
      folder,
    ).toBe(true)
  }
})
