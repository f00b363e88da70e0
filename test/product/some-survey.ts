import type { SurveyQuestion } from '#surveys/question'
import type { Survey, SurveyContent } from '#surveys/survey'

const plain = {
  description: { format: 'text', text: '' },
  buttonText: '',
  isRequired: true,
  branching: { kind: 'next' },
} as const

/** 0 to 10. */
export const npsQuestion: SurveyQuestion = {
  ...plain,
  id: 'nps',
  kind: 'rating',
  text: 'Would you recommend us?',
  display: 'number',
  scale: 10,
  lowerLabel: '',
  upperLabel: '',
  submitsOnClick: false,
}

export const openQuestion: SurveyQuestion = {
  ...plain,
  id: 'why',
  kind: 'open',
  text: 'Why?',
  placeholder: '',
}

export const someContent = (
  questions: readonly SurveyQuestion[],
  more: Partial<SurveyContent> = {},
): SurveyContent => ({
  questions,
  appearance: {
    backgroundColor: '#fff',
    textColor: '#000',
    buttonColor: '#000',
    buttonTextColor: '#fff',
    ratingColor: '#fff',
    ratingActiveColor: '#000',
    borderColor: '#ccc',
    inputBackground: '#fff',
    fontFamily: 'system-ui',
    borderRadiusPx: 10,
    maxWidthPx: 300,
    position: 'right',
    progressBar: false,
  },
  intro: undefined,
  endCards: [],
  sendsPartialAnswers: false,
  allowsGoingBack: false,
  shufflesQuestions: false,
  hiddenFields: [],
  translations: {},
  ...more,
})

const launched = new Date('2026-01-01T00:00:00Z')

/** A running survey with one rating and one open question. */
export const aSurvey = (changes: Partial<Survey> = {}): Survey => ({
  id: 'nps',
  projectId: 1,
  name: 'NPS',
  description: 'Only for members.',
  content: someContent([npsQuestion, openQuestion]),
  version: 1,
  revision: 1,
  placement: { kind: 'popover' },
  hostedPage: { isOpen: false, needsLink: false, pinHash: undefined, mayBeEmbedded: false },
  targeting: {},
  schedule: { kind: 'once' },
  responseLimit: undefined,
  notify: [],
  startsAt: launched,
  endsAt: undefined,
  archivedAt: undefined,
  createdBy: 'Ana',
  createdAt: launched,
  changedBy: 'Ana',
  changedAt: launched,
  ...changes,
})

/** Of a check whose survey has no response limit. */
export const uncountedSubmissions = {
  submissionsOf: () => 0,
  hasBegun: () => false,
  note: () => {},
  saved: async () => {},
}
