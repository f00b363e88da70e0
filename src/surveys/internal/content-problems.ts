import type { InputProblem } from '#projects/problems'
import { branchKeys, flowProblems, type FlowProblem } from '../flow'
import { shortened } from '../kinds/internal/question-fields'
import { questionKinds } from '../kinds/question-kinds'
import type { Branch, SurveyQuestion } from '../question'
import type { SurveyContent } from '../survey'
import { listNames, listOf } from '../translate'

/** Finds problems between parts of a survey’s content that are valid one by one. Fields are named from the content. */
export function contentProblems(content: SurveyContent): InputProblem[] {
  const found = checks.flatMap((check) => check(content))
  // the flow can be followed only once all its targets exist
  return found.length > 0 ? found : problemsOfFlow(content)
}

const checks: readonly ((content: SurveyContent) => InputProblem[])[] = [
  idsAreDistinct,
  branchesLeadSomewhere,
  branchesHaveAnswers,
  fieldsFitTogether,
  translationsFit,
]

const problem = (field: string, message: string): InputProblem => ({ field, message })

const quoted = ({ text }: Pick<SurveyQuestion, 'text'>): string => `“${shortened(text)}”`

function idsAreDistinct({ questions, endCards }: SurveyContent): InputProblem[] {
  const doubled = (list: readonly { id: string }[], field: string, what: string) =>
    list.flatMap(({ id }, index) =>
      list.findIndex((other) => other.id === id) < index
        ? [problem(`${field}.${index}.id`, `Two ${what} have the id “${id}”. Give one of them another.`)]
        : [],
    )
  return [...doubled(questions, 'questions', 'questions'), ...doubled(endCards, 'endCards', 'end cards')]
}

function branchesOf({ branching }: SurveyQuestion): Branch[] {
  return branching.kind === 'by-answer' ? Object.values(branching.branches) : [branching]
}

function branchesLeadSomewhere({ questions, endCards }: SurveyContent): InputProblem[] {
  const questionIds = new Set(questions.map(({ id }) => id))
  const cardIds = new Set(endCards.map(({ id }) => id))
  const objection = (branch: Branch): string | undefined => {
    if (branch.kind === 'question' && !questionIds.has(branch.question))
      return `leads to the question “${branch.question}”, which the survey does not have.`
    if (branch.kind === 'end' && branch.card !== undefined && !cardIds.has(branch.card))
      return `ends with the card “${branch.card}”, which the survey does not have.`
    return undefined
  }
  return questions.flatMap((question, index) =>
    branchesOf(question)
      .flatMap((branch) => objection(branch) ?? [])
      .map((words) => problem(`questions.${index}.branching`, `The question ${quoted(question)} ${words}`)),
  )
}

function branchesHaveAnswers({ questions }: SurveyContent): InputProblem[] {
  return questions.flatMap((question, index) => {
    const { branching } = question
    if (branching.kind !== 'by-answer') return []
    const field = `questions.${index}.branching`
    const keys = branchKeys(question)
    if (keys.length === 0)
      return [problem(field, `The question ${quoted(question)} is of a kind that cannot branch by answer.`)]
    return Object.keys(branching.branches)
      .filter((key) => !keys.includes(key))
      .map((key) =>
        problem(
          field,
          `The question ${quoted(question)} branches by “${key}”, which is no answer to it. There are: ${keys.join(', ')}.`,
        ),
      )
  })
}

function fieldsFitTogether({ questions }: SurveyContent): InputProblem[] {
  return questions.flatMap((question, index) => {
    const found = questionKinds[question.kind].problems?.(question, quoted(question)) ?? []
    return found.map(({ field, message }) => problem(`questions.${index}.${field}`, message))
  })
}

function translationsFit({ questions, endCards, translations }: SurveyContent): InputProblem[] {
  return Object.entries(translations).flatMap(([language, translation]) => {
    const field = `translations.${language}`
    const unknownCards = Object.keys(translation.endCards ?? {})
      .filter((id) => !endCards.some((card) => card.id === id))
      .map((id) => problem(`${field}.endCards`, `There is no end card “${id}” to translate.`))
    const ofQuestions = Object.entries(translation.questions ?? {}).flatMap(([id, texts]) => {
      const question = questions.find((one) => one.id === id)
      if (!question) return [problem(`${field}.questions`, `There is no question “${id}” to translate.`)]
      return listNames
        .filter((name) => texts[name] && texts[name].length !== listOf(question, name).length)
        .map((name) =>
          problem(
            `${field}.questions.${id}.${name}`,
            `${quoted(question)} has ${listOf(question, name).length} ${name}; its translation to ${language} has ${texts[name]?.length}. Translate each of them.`,
          ),
        )
    })
    return [...unknownCards, ...ofQuestions]
  })
}

const sentences: Record<FlowProblem['problem'], (question: string) => string> = {
  'end-unreachable': (question) =>
    `From the question ${question} no path leads to the end. Let one of its branches lead on or end the survey.`,
  'never-shown': (question) =>
    `No path leads to the question ${question}. Let a branch lead to it, or remove it.`,
  loops: (question) =>
    `A path leads from the question ${question} back to it, so it would be asked for ever. Let its branches lead forward.`,
}

function problemsOfFlow(content: SurveyContent): InputProblem[] {
  return flowProblems(content).map(({ question: id, problem: kind }) => {
    const index = content.questions.findIndex((question) => question.id === id)
    const question = content.questions[index]
    return problem(`questions.${index}.branching`, sentences[kind](question ? quoted(question) : id))
  })
}
