import type { Answer, Answers, ChoiceQuestion, SurveyQuestion } from '#surveys/question'
import type { SeededRandom } from './seeded-random'

/** The properties of a person that an answer depends on. */
export interface Respondent {
  random: SeededRandom
  /** The contentment of the person, about from 0 to 1. */
  mood: number
  /** The language of the survey's texts. */
  language: 'en' | 'de'
}

type Texts = readonly [string, ...string[]]

const comments: Record<'like' | 'middling' | 'unhappy', Record<Respondent['language'], Texts>> = {
  like: {
    en: [
      'Finally a board my whole team opens',
      'Fast, and it stays out of the way',
      'Automations save me an hour a week',
      'The automations, and how fast it is',
      'Import took five minutes, and my team was on it the same day',
      'Support answers within the hour',
    ],
    de: [
      'Endlich ein Board, das mein ganzes Team öffnet',
      'Schnell und übersichtlich',
      'Die Automationen sparen mir jede Woche eine Stunde',
      'Der Import hat auf Anhieb geklappt',
    ],
  },
  middling: {
    en: [
      'Good, but I miss a calendar',
      'The phone app could be faster',
      'Prices are fair, limits are confusing',
      'A calendar would be great',
      'Reports for my boss',
    ],
    de: ['Ein Kalender fehlt mir', 'Die App auf dem Telefon ist langsam', 'Gut, aber Berichte fehlen'],
  },
  unhappy: {
    en: [
      'Too many clicks to move a card',
      'Notifications drive me mad',
      'Could not bring my spreadsheet along',
      'The phone app is slow',
      'Too many notifications',
    ],
    de: ['Zu viele Benachrichtigungen', 'Zu viele Klicks, um eine Karte zu verschieben', 'Zu teuer für uns'],
  },
}

const benefits: Texts = [
  'Everybody sees what is stuck',
  'Fewer meetings',
  'We plan the quarter with one board',
  'My team agrees on what comes next',
  'No more spreadsheets',
  'Fewer status meetings, everybody sees what is going on',
]

const remarks: Texts = [
  'More pictures please',
  'An example of a real board',
  'How do you do this with a remote team?',
  'The steps for the phone app',
  'Too short, I wanted to read more',
  'A template to copy',
]

const otherTexts: Record<string, Texts> = {
  'missing-part': ['Time tracking', 'A desktop app', 'Swimlanes'],
  instead: ['A wall with sticky notes', 'Nothing, I suppose', 'Pen and paper'],
}

type Reply = (respondent: Respondent, question: SurveyQuestion, answers: Answers) => Answer

/** The answers to each question of the demo's surveys, by its id. */
const replies: Readonly<Record<string, Reply>> = {
  score: ({ mood }) => Math.max(0, Math.min(10, Math.round(3 + mood * 8))),
  improve: (respondent, _, { score }) =>
    maybe(respondent, 0.55, comments[Number(score) >= 7 ? 'middling' : 'unhappy'][respondent.language]),
  like: (respondent) => maybe(respondent, 0.62, comments.like[respondent.language]),
  disappointed: ({ mood, random }, question) => {
    const level = mood + random.between(-0.25, 0.25)
    return choiceText(question, level > 0.62 ? 0 : level > 0.34 ? 1 : 2)
  },
  benefit: (respondent) => maybe(respondent, 0.7, benefits),
  'missing-part': pickChoice,
  instead: pickChoice,
  'used-parts': ({ random }, question) => {
    const { choices } = choicesIn(question)
    const used = choices.filter((_, index) => random.happens(0.8 - index * 0.14))
    return (used.length > 0 ? used : choices.slice(0, 1)).map(({ text }) => text)
  },
  // of thumbs, 1 is up
  helpful: ({ mood }) => (mood > 0.2 ? 1 : 2),
  missing: (respondent, _, { helpful }) => maybe(respondent, helpful === 1 ? 0.15 : 0.5, remarks),
}

/** Answers a question of a survey in the language that is shown. */
export function replyTo(question: SurveyQuestion, respondent: Respondent, answers: Answers): Answer {
  const reply = replies[question.id]
  if (!reply) throw new Error(`The demo has no reply to the question “${question.id}”.`)
  return reply(respondent, question, answers)
}

/** An empty text skips an optional question. */
const maybe = ({ random }: Respondent, probability: number, texts: Texts): string =>
  random.happens(probability) ? random.pick(texts) : ''

function pickChoice({ random }: Respondent, question: SurveyQuestion): string {
  const { choices, hasOther } = choicesIn(question)
  const last = choices.length - 1
  // earlier choices are more popular
  const index = Math.floor(random.next() ** 1.6 * choices.length)
  const typed = otherTexts[question.id]
  return hasOther && index === last && typed ? random.pick(typed) : choiceText(question, index)
}

const choiceText = (question: SurveyQuestion, index: number): string =>
  choicesIn(question).choices[index]?.text ?? ''

function choicesIn(question: SurveyQuestion): Pick<ChoiceQuestion, 'choices' | 'hasOther'> {
  if (question.kind === 'single-choice' || question.kind === 'multiple-choice') return question
  throw new Error(`The question “${question.id}” has no choices.`)
}
