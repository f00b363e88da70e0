import type { Survey } from '#surveys/survey'
import { newSurvey } from '#surveys/survey-input'
import { surveyTemplates } from '#surveys/templates'
import { product as pinewise } from './site'

export interface DemoSurvey extends Pick<Survey, 'id' | 'name' | 'content' | 'placement' | 'schedule'> {
  /** The input that creates it. */
  input: object
  /** The day of the story on which it is launched. */
  launchDay: number
}

const templateInput = (id: string) => {
  const template = surveyTemplates.find((one) => one.id === id)
  if (!template) throw new Error(`There is no survey template “${id}”.`)
  return template.input
}

function demoSurvey(launchDay: number, input: object): DemoSurvey {
  const { id = '', name, content, placement, schedule } = newSurvey.parse(input)
  return { id, name, content, placement, schedule, input, launchDay }
}

const inTheApp = { match: 'contains', value: pinewise.app } as const

const nps = templateInput('nps')

/** Accounts at work are asked, in English or German. */
export const recommendation = demoSurvey(5, {
  ...nps,
  id: 'pinewise-nps',
  name: 'Would you recommend us?',
  description: 'Asked once, in the product, of everyone who uses it.',
  content: {
    ...nps.content,
    translations: {
      de: {
        name: 'Würden Sie uns empfehlen?',
        questions: {
          score: {
            text: 'Wie wahrscheinlich ist es, dass Sie uns Freunden oder Kollegen empfehlen?',
            lowerLabel: 'Sehr unwahrscheinlich',
            upperLabel: 'Sehr wahrscheinlich',
          },
          improve: { text: 'Was können wir besser machen?' },
          like: { text: 'Was gefällt Ihnen am besten?' },
        },
        endCards: { thanks: { header: 'Vielen Dank!', description: 'Ihre Antwort hilft uns weiter.' } },
      },
    },
  },
  targeting: { url: inTheApp, waitDays: 30, delaySeconds: 5 },
  schedule: { kind: 'once' },
})

const toQuestion = (question: string) => ({ kind: 'question', question })
const choicesOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([id, text]) => ({ id, text }))

/** Accounts that have used the product for some weeks are asked; each answer leads to other questions. */
export const marketFit = demoSurvey(20, {
  ...templateInput('product-market-fit'),
  id: 'pinewise-market-fit',
  description: 'Would people miss Pinewise? Only those who began to use it are asked.',
  content: {
    questions: [
      {
        id: 'disappointed',
        kind: 'single-choice',
        text: 'How would you feel if you could no longer use Pinewise?',
        isRequired: true,
        choices: choicesOf({
          very: 'Very disappointed',
          somewhat: 'Somewhat disappointed',
          not: 'Not disappointed',
        }),
        branching: {
          kind: 'by-answer',
          branches: { somewhat: toQuestion('missing-part'), not: toQuestion('instead') },
        },
      },
      {
        id: 'benefit',
        kind: 'open',
        text: 'What is the main benefit you get from Pinewise?',
        branching: toQuestion('used-parts'),
      },
      {
        id: 'missing-part',
        kind: 'single-choice',
        text: 'What would make Pinewise indispensable to you?',
        isRequired: true,
        hasOther: true,
        choices: choicesOf({
          calendar: 'A calendar',
          phone: 'A faster phone app',
          reports: 'Reports',
          guests: 'Free guests',
          other: 'Something else',
        }),
        branching: toQuestion('used-parts'),
      },
      {
        id: 'instead',
        kind: 'single-choice',
        text: 'What would you use instead?',
        isRequired: true,
        hasOther: true,
        choices: choicesOf({
          spreadsheet: 'A spreadsheet',
          board: 'Another board',
          messages: 'E-mail and chat',
          other: 'Something else',
        }),
        branching: { kind: 'end', card: 'no-fit' },
      },
      {
        id: 'used-parts',
        kind: 'multiple-choice',
        text: 'Which parts do you use every week?',
        isRequired: true,
        choices: choicesOf({
          boards: 'Boards',
          comments: 'Comments',
          automations: 'Automations',
          search: 'Search',
          phone: 'Phone app',
        }),
      },
    ],
    endCards: [
      { id: 'thanks', header: 'Thank you!', description: 'Your answer decides what we build next.' },
      { id: 'no-fit', header: 'Thank you for being frank.' },
    ],
  },
  targeting: {
    url: inTheApp,
    waitDays: 30,
    person: { type: 'person', key: 'activated_at', operator: 'is_set' },
  },
})

/** Readers are asked at the end of a post. */
export const postFeedback = demoSurvey(0, {
  ...templateInput('post-feedback'),
  id: 'pinewise-post-feedback',
  description: 'At the end of posts. The same reader may answer below each of them.',
  schedule: { kind: 'always' },
})

export const demoSurveys: readonly DemoSurvey[] = [recommendation, marketFit, postFeedback]
