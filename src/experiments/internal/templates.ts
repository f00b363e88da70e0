/** An experiment to begin with: metrics and settings of a new experiment, which its author then changes. */
export interface ExperimentTemplate {
  id: string
  name: string
  /** When it helps. */
  description: string
  input: {
    hypothesis: string
    metrics: readonly { name: string; role: string; goal?: string; margin?: number; measured: object }[]
    analysis?: object
  }
}

const week = 7 * 24

const errors = {
  name: 'Errors',
  role: 'guardrail',
  goal: 'decrease',
  margin: 10,
  measured: { type: 'total', amount: { happening: { event: '$exception' } }, atMost: { percentile: 99 } },
}

const loading = (vital: string, name: string, margin: number) => ({
  name,
  role: 'guardrail',
  goal: 'decrease',
  margin,
  measured: {
    type: 'quantile',
    happening: { event: '$web_vitals' },
    property: `$web_vitals_${vital}_value`,
    level: 0.75,
  },
})

export const experimentTemplates: readonly ExperimentTemplate[] = [
  {
    id: 'sign-up',
    name: 'Sign-up funnel',
    description: 'A change of the way to an account. Each step is a share of all exposed people.',
    input: {
      hypothesis: 'More of the visitors who see the page sign up.',
      metrics: [
        {
          name: 'Sign-up',
          role: 'primary',
          measured: {
            type: 'funnel',
            steps: [{ event: '$pageview' }, { event: 'signed up' }],
            windowHours: week,
          },
        },
        {
          name: 'Pages per visitor',
          role: 'secondary',
          measured: {
            type: 'total',
            amount: { happening: { event: '$pageview' } },
            atMost: { percentile: 99 },
          },
        },
        errors,
      ],
    },
  },
  {
    id: 'revenue',
    name: 'Revenue',
    description:
      'A change of prices, offers or the checkout. Large orders are bounded, so that one does not decide.',
    input: {
      hypothesis: 'Visitors spend more.',
      metrics: [
        {
          name: 'Revenue per visitor',
          role: 'primary',
          measured: {
            type: 'total',
            amount: { happening: { event: 'ordered' }, property: '$revenue' },
            atMost: { percentile: 99 },
            windowHours: 2 * week,
          },
        },
        {
          name: 'Orders',
          role: 'secondary',
          measured: { type: 'conversion', happening: { event: 'ordered' }, windowHours: 2 * week },
        },
        {
          name: 'Revenue per order',
          role: 'secondary',
          measured: {
            type: 'ratio',
            numerator: {
              happening: { event: 'ordered' },
              property: '$revenue',
              atMost: { percentile: 99 },
            },
            denominator: { happening: { event: 'ordered' } },
            windowHours: 2 * week,
          },
        },
        errors,
      ],
    },
  },
  {
    id: 'retention',
    name: 'Retention',
    description: 'A change that should bring people back. Only people whose second week is over count.',
    input: {
      hypothesis: 'More people come back in the second week.',
      metrics: [
        {
          name: 'Back in the second week',
          role: 'primary',
          measured: {
            type: 'conversion',
            happening: { event: '$pageview' },
            delayHours: week,
            windowHours: week,
            onlyComplete: true,
          },
        },
        {
          name: 'Back on the next day',
          role: 'secondary',
          measured: {
            type: 'conversion',
            happening: { event: '$pageview' },
            delayHours: 24,
            windowHours: 24,
            onlyComplete: true,
          },
        },
        errors,
      ],
    },
  },
  {
    id: 'page-speed',
    name: 'Page speed',
    description: 'A change of the code or the hosting that visitors should only notice as speed.',
    input: {
      hypothesis: 'Pages load faster, and nothing else changes.',
      metrics: [
        {
          name: 'Pages per visitor',
          role: 'primary',
          measured: {
            type: 'total',
            amount: { happening: { event: '$pageview' } },
            atMost: { percentile: 99 },
          },
        },
        loading('LCP', 'Largest contentful paint (75%)', 5),
        loading('INP', 'Interaction to next paint (75%)', 5),
        loading('CLS', 'Layout shift (75%)', 10),
        errors,
      ],
    },
  },
]
