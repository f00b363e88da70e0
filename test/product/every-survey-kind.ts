import type { SurveyQuestion } from '#surveys/question'
import type { SurveyContent } from '#surveys/survey'
import type { PublicSurvey } from '#surveys/run/public-survey'

const base = {
  description: { format: 'text', text: '' },
  buttonText: '',
  isRequired: false,
  branching: { kind: 'next' },
} as const

const choices = (...texts: string[]) => texts.map((text) => ({ id: text.toLowerCase(), text }))

/** A question of every kind. */
export const everyKind: readonly SurveyQuestion[] = [
  { ...base, kind: 'statement', id: 'hello', text: 'Hello there' },
  {
    ...base,
    kind: 'rating',
    id: 'rating',
    text: 'Would you recommend us?',
    display: 'number',
    scale: 10,
    lowerLabel: 'Never',
    upperLabel: 'Surely',
    submitsOnClick: false,
  },
  { ...base, kind: 'open', id: 'open', text: 'Why?', placeholder: '' },
  {
    ...base,
    kind: 'single-choice',
    id: 'plan',
    text: 'Which plan?',
    choices: choices('Free', 'Team'),
    hasOther: false,
    shufflesChoices: false,
    submitsOnClick: false,
  },
  {
    ...base,
    kind: 'multiple-choice',
    id: 'why',
    text: 'What matters?',
    choices: choices('Speed', 'Price', 'Something else'),
    hasOther: true,
    shufflesChoices: false,
    submitsOnClick: false,
  },
  { ...base, kind: 'link', id: 'link', text: 'Read on', link: 'https://example.com/' },
  { ...base, kind: 'ranking', id: 'rank', text: 'Put in order', choices: choices('A', 'B', 'C') },
  {
    ...base,
    kind: 'matrix',
    id: 'matrix',
    text: 'How good is each?',
    rows: choices('App', 'Docs'),
    columns: choices('Good', 'Bad'),
  },
  {
    ...base,
    kind: 'picture',
    id: 'pet',
    text: 'Which one?',
    choices: choices('Cat', 'Dog').map((choice) => ({
      ...choice,
      imageUrl: `/_tilth/images/${choice.id}.webp`,
    })),
    allowsSeveral: false,
  },
  { ...base, kind: 'date', id: 'day', text: 'Since when?' },
  {
    ...base,
    kind: 'contact',
    id: 'contact',
    text: 'How can we reach you?',
    fields: [
      { field: 'name', isRequired: false },
      { field: 'email', isRequired: true },
    ],
  },
  { ...base, kind: 'consent', id: 'consent', text: 'May we write?', label: 'Yes, you may' },
]

const appearance: SurveyContent['appearance'] = {
  backgroundColor: '#ffffff',
  textColor: '#111111',
  buttonColor: '#1d4ed8',
  buttonTextColor: '#ffffff',
  ratingColor: '#ffffff',
  ratingActiveColor: '#1d4ed8',
  borderColor: '#767676',
  inputBackground: '#ffffff',
  fontFamily: 'system-ui, sans-serif',
  borderRadiusPx: 10,
  maxWidthPx: 360,
  position: 'right',
  progressBar: true,
}

/** A survey's content with these questions, and all else left out. */
export const contentWith = (
  questions: readonly SurveyQuestion[],
  more: Partial<SurveyContent> = {},
): SurveyContent => ({
  questions,
  appearance,
  intro: undefined,
  endCards: [],
  sendsPartialAnswers: false,
  allowsGoingBack: false,
  shufflesQuestions: false,
  hiddenFields: [],
  translations: {},
  ...more,
})

export const publicSurveyWith = (more: Partial<PublicSurvey> = {}): PublicSurvey => ({
  id: 'survey',
  name: 'Survey',
  version: 1,
  language: undefined,
  languages: [],
  content: contentWith(everyKind),
  placement: { kind: 'popover' },
  targeting: {},
  iteration: undefined,
  isRepeatable: false,
  ...more,
})
