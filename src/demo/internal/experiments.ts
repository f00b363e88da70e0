import type { Viewer } from '#projects/access'
import type { Product } from '#server/product'
import type { FlagKey } from './flags'
import { requireDone } from './require-done'
import { dayMs } from './story'

interface DemoExperiment {
  startDay: number
  input: { flag: FlagKey; name: string } & Record<string, unknown>
}

const converts = (event: string, days?: number) => ({
  type: 'conversion',
  happening: { event },
  ...(days !== undefined && { windowHours: 24 * days }),
})

/** One experiment has a clear winner, one has variants that hardly differ, and one loses exposures in a browser. */
export const demoExperiments: readonly DemoExperiment[] = [
  {
    startDay: 30,
    input: {
      flag: 'pricing-headline',
      name: 'Headline of the price page',
      hypothesis: 'Visitors who read what the product is for sign up more often.',
      analysis: { decision: { rule: 'whole-weeks', weeks: 6 } },
      metrics: [
        { name: 'Sign-ups', measured: converts('signup', 7) },
        { name: 'Subscriptions', role: 'secondary', measured: converts('subscribed') },
        {
          name: 'Pages seen',
          role: 'guardrail',
          margin: 15,
          measured: { type: 'total', amount: { happening: { event: '$pageview' } }, windowHours: 24 },
        },
      ],
    },
  },
  {
    startDay: 20,
    input: {
      flag: 'new-onboarding',
      name: 'A guide or a film on the first board',
      hypothesis: 'People who are shown around begin sooner.',
      analysis: { smallestEffect: 0.25 },
      metrics: [
        { name: 'Began within a week', measured: converts('activated', 7) },
        {
          name: 'Cards moved',
          role: 'secondary',
          measured: { type: 'total', amount: { happening: { event: 'card moved' } }, windowHours: 24 * 14 },
        },
      ],
    },
  },
  {
    startDay: 60,
    input: {
      flag: 'sticky-menu',
      name: 'Menu that stays in sight',
      hypothesis: 'Readers who always see the menu go on to the prices.',
      metrics: [
        {
          name: 'Saw the prices',
          measured: {
            type: 'conversion',
            windowHours: 24,
            happening: {
              event: '$pageview',
              filter: { type: 'event', key: '$current_url', operator: 'icontains', value: '/pricing' },
            },
          },
        },
      ],
    },
  },
]

/** Creates and starts the experiments. */
export async function addDemoExperiments(
  { experiments }: Pick<Product, 'experiments'>,
  projectId: number,
  begin: Date,
  viewer: Viewer,
): Promise<void> {
  for (const { input, startDay } of demoExperiments) {
    const { experiment } = requireDone(await experiments.create(projectId, input, viewer))
    const at = new Date(begin.getTime() + startDay * dayMs).toISOString()
    requireDone(await experiments.start(projectId, experiment.id, { at }, viewer))
  }
}
