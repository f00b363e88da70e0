/** A survey to begin with: the input of a new survey, which its author then changes. */
export interface SurveyTemplate {
  id: string
  name: string
  /** When it helps. */
  description: string
  input: {
    name: string
    content: { questions: readonly object[]; endCards: readonly object[] }
    placement?: object
    targeting?: object
    schedule?: object
  }
}

const thanks = [{ id: 'thanks', header: 'Thank you!', description: 'Your answer helps us to improve.' }]

const rating = (id: string, text: string, scale: number, lowerLabel: string, upperLabel: string) => ({
  id,
  kind: 'rating',
  text,
  display: scale === 10 ? 'number' : 'emoji',
  scale,
  lowerLabel,
  upperLabel,
  isRequired: true,
})

const open = (id: string, text: string) => ({ id, kind: 'open', text, isRequired: false })

const choices = (id: string, text: string, options: readonly string[], more: object = {}) => ({
  id,
  kind: 'single-choice',
  text,
  choices: options.map((option, index) => ({ id: `${id}-${index + 1}`, text: option })),
  isRequired: true,
  ...more,
})

export const surveyTemplates: readonly SurveyTemplate[] = [
  {
    id: 'nps',
    name: 'Net promoter score (NPS)',
    description: 'Find out how likely people are to recommend you, and why.',
    input: {
      name: 'Net promoter score',
      content: {
        questions: [
          {
            ...rating(
              'score',
              'How likely are you to recommend us to a friend or colleague?',
              10,
              'Not at all likely',
              'Extremely likely',
            ),
            branching: {
              kind: 'by-answer',
              branches: {
                detractors: { kind: 'question', question: 'improve' },
                passives: { kind: 'question', question: 'improve' },
                promoters: { kind: 'question', question: 'like' },
              },
            },
          },
          { ...open('improve', 'What could we do better?'), branching: { kind: 'end' } },
          open('like', 'What do you like most?'),
        ],
        endCards: thanks,
      },
      targeting: { waitDays: 30 },
      schedule: { kind: 'recurring', iterations: 8, everyDays: 90 },
    },
  },
  {
    id: 'csat',
    name: 'Customer satisfaction (CSAT)',
    description: 'Measure how satisfied people are right after they used a feature.',
    input: {
      name: 'Customer satisfaction',
      content: {
        questions: [
          rating(
            'satisfaction',
            'How satisfied are you with your experience?',
            5,
            'Very dissatisfied',
            'Very satisfied',
          ),
          open('reason', 'What is the main reason for your answer?'),
        ],
        endCards: thanks,
      },
    },
  },
  {
    id: 'ces',
    name: 'Customer effort score (CES)',
    description: 'Learn how easy it is to get something done.',
    input: {
      name: 'Customer effort score',
      content: {
        questions: [
          {
            ...rating(
              'effort',
              'It was easy to do what I wanted to do.',
              7,
              'Strongly disagree',
              'Strongly agree',
            ),
            display: 'number',
          },
          open('harder', 'What made it harder than it should be?'),
        ],
        endCards: thanks,
      },
    },
  },
  {
    id: 'product-market-fit',
    name: 'Product-market fit',
    description:
      'Ask how disappointed people would be without your product. 40% “very disappointed” is a common goal.',
    input: {
      name: 'Product-market fit',
      content: {
        questions: [
          choices('disappointed', 'How would you feel if you could no longer use our product?', [
            'Very disappointed',
            'Somewhat disappointed',
            'Not disappointed',
          ]),
          open('benefit', 'What is the main benefit you get from our product?'),
          open('audience', 'What type of person would benefit most from our product?'),
          open('improve', 'How can we improve our product for you?'),
        ],
        endCards: thanks,
      },
      targeting: { waitDays: 30 },
    },
  },
  {
    id: 'churn',
    name: 'Churn',
    description: 'Ask why people cancel, when they cancel.',
    input: {
      name: 'Why people cancel',
      content: {
        questions: [
          choices(
            'reason',
            'What is the main reason you are cancelling?',
            [
              'It is too expensive',
              'A feature is missing',
              'It is hard to use',
              'I use another product',
              'I no longer need it',
              'Other',
            ],
            { hasOther: true },
          ),
          open('return', 'What would bring you back?'),
        ],
        endCards: thanks,
      },
      targeting: { triggers: [{ kind: 'event', event: 'subscription cancelled' }] },
    },
  },
  {
    id: 'onboarding',
    name: 'Onboarding',
    description: 'Get to know new people and what they hope to do.',
    input: {
      name: 'Onboarding',
      content: {
        questions: [
          choices(
            'role',
            'What best describes your role?',
            ['Engineering', 'Product', 'Design', 'Marketing', 'Sales', 'Other'],
            { hasOther: true },
          ),
          choices(
            'source',
            'How did you hear about us?',
            ['Search', 'A friend or colleague', 'Social media', 'A blog post or podcast', 'Other'],
            { hasOther: true },
          ),
          open('goal', 'What do you hope to do with our product?'),
        ],
        endCards: [{ id: 'welcome', header: 'Welcome!', description: 'Thank you for telling us about you.' }],
      },
    },
  },
  {
    id: 'post-feedback',
    name: 'Post feedback',
    description: 'Ask readers at the end of a post whether it helped.',
    input: {
      name: 'Post feedback',
      content: {
        questions: [
          {
            id: 'helpful',
            kind: 'rating',
            text: 'Was this post helpful?',
            display: 'emoji',
            scale: 2,
            isRequired: true,
          },
          open('missing', 'What is missing or unclear?'),
        ],
        endCards: thanks,
      },
      placement: { kind: 'inline' },
    },
  },
  {
    id: 'bug-report',
    name: 'Bug report',
    description: 'Let people report a problem from any page.',
    input: {
      name: 'Bug report',
      content: {
        questions: [
          { ...open('what', 'What went wrong?'), isRequired: true },
          open('expected', 'What did you expect instead?'),
          choices('severity', 'How much does it affect you?', [
            'I cannot continue',
            'I found another way',
            'It is a small annoyance',
          ]),
        ],
        endCards: [{ id: 'thanks', header: 'Thank you!', description: 'We will look into it.' }],
      },
      placement: { kind: 'tab', label: 'Report a bug' },
      schedule: { kind: 'always' },
    },
  },
]
