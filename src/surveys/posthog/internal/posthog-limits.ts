import { questionKinds } from '../../kinds/question-kinds'
import type { SurveyQuestion } from '../../question'
import type { Survey, SurveyTrigger } from '../../survey'
import { triggerOperators } from './operators'
import { selectorRegex } from './selector-regex'

type LimitedSurvey = Pick<Survey, 'content' | 'placement' | 'targeting'>

/**
 * Says why posthog-js cannot show a survey; empty if it can. It would ignore conditions that it does not know, and draw
 * an empty box for other kinds of questions.
 */
export const reasonsAgainstPosthog = (survey: LimitedSurvey): string[] =>
  limits.flatMap((limit) => limit(survey))

const limits: readonly ((survey: LimitedSurvey) => string[])[] = [
  ({ placement }) =>
    placement.kind === 'hosted' ? ['It is placed at its own address only, and not on a site.'] : [],
  ({ content: { questions } }) => (questions.length === 0 ? ['It has no questions.'] : []),
  ({ content: { questions } }) => questions.flatMap(reasonAgainstQuestion),
  conditionsItIgnores,
  ({ targeting: { triggers = [], cancelEvents = [] } }) =>
    [...triggers, ...cancelEvents].flatMap(reasonsAgainstTrigger),
  ({ content: { questions, endCards } }) =>
    questions.some((question) => endsElsewhere(question, endCards[0]?.id))
      ? ['Its branches lead to several end cards. posthog-js has one.']
      : [],
  ({ content: { endCards } }) =>
    endCards[0]?.link ? ['Its end card has a link. That of posthog-js only closes.'] : [],
  ({ content }) =>
    /\{\{(?:answer|field):/.test(JSON.stringify(content))
      ? ['Its texts recall answers or fields, which posthog-js shows as they are written.']
      : [],
]

function reasonAgainstQuestion(question: SurveyQuestion): string[] {
  if (!questionKinds[question.kind].isInPosthog)
    return [`posthog-js has no questions of the kind of “${question.text}” (${question.kind}).`]
  return question.kind === 'multiple-choice' &&
    (question.minChoices !== undefined || question.maxChoices !== undefined)
    ? [`posthog-js does not limit how many choices of “${question.text}” are taken.`]
    : []
}

function conditionsItIgnores({ targeting }: LimitedSurvey): string[] {
  const ignored = {
    'the language': targeting.languages,
    'the width of the screen': targeting.screenWidth,
    'how far the page was scrolled': targeting.scrollPercent,
    'the exit intent': targeting.exitIntent || undefined,
  }
  return Object.entries(ignored).flatMap(([words, condition]) =>
    condition === undefined ? [] : [`posthog-js does not know the condition on ${words}.`],
  )
}

function reasonsAgainstTrigger(trigger: SurveyTrigger): string[] {
  if (trigger.kind === 'action')
    return trigger.steps.flatMap(({ selector }) => {
      const compiled = selector === undefined ? undefined : selectorRegex(selector)
      return compiled?.done === false ? compiled.problems.map(({ message }) => message) : []
    })
  const keys = trigger.properties.map(({ key }) => key)
  const unknown = trigger.properties.filter(({ operator }) => !triggerOperators.has(operator))
  return [
    ...unknown.map(
      ({ key, operator }) =>
        `posthog-js cannot compare the property “${key}” of “${trigger.event}” by “${operator}”.`,
    ),
    ...(new Set(keys).size < keys.length
      ? [`posthog-js takes one condition on each property of “${trigger.event}”.`]
      : []),
  ]
}

function endsElsewhere({ branching }: SurveyQuestion, first: string | undefined): boolean {
  const branches = branching.kind === 'by-answer' ? Object.values(branching.branches) : [branching]
  return branches.some(
    (branch) => branch.kind === 'end' && branch.card !== undefined && branch.card !== first,
  )
}
