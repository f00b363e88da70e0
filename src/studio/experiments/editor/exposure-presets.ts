import type { Filter } from '#filters/filter'
import type { ExposureRule } from '#insights/kinds/experiment/schema'

interface ExposurePreset {
  label: string
  event: string
  /** The property that names the variant. */
  property: string
  /** The property that names the experiment. */
  experiment: string
}

/** The exposure events of other tools, as their documents describe them. */
const exposurePresets: Readonly<Record<string, ExposurePreset>> = {
  growthbook: {
    label: 'GrowthBook',
    event: 'Experiment Viewed',
    property: 'variationId',
    experiment: 'experimentId',
  },
  segment: {
    label: 'Segment',
    event: 'Experiment Viewed',
    property: 'variation_name',
    experiment: 'experiment_name',
  },
  amplitude: { label: 'Amplitude', event: '$exposure', property: 'variant', experiment: 'flag_key' },
  mixpanel: {
    label: 'Mixpanel',
    event: '$experiment_started',
    property: 'Variant name',
    experiment: 'Experiment name',
  },
  openfeature: {
    label: 'OpenFeature',
    event: 'feature_flag.evaluation',
    property: 'feature_flag.result.variant',
    experiment: 'feature_flag.key',
  },
}

export const presetChoices = Object.entries(exposurePresets).map(([value, { label }]) => ({ value, label }))

const experimentFilter = ({ experiment }: ExposurePreset, flag: string): Filter => ({
  type: 'event',
  key: experiment,
  operator: 'exact',
  value: [flag],
})

/** The rule of another tool’s event, for the experiment that has the flag’s key there. */
export function exposureOfPreset(name: string, flag: string): ExposureRule | undefined {
  const preset = exposurePresets[name]
  if (!preset) return undefined
  const { event, property } = preset
  return { by: 'event', event, property, ...(flag !== '' && { filter: experimentFilter(preset, flag) }) }
}

/** A preset’s filter names the flag, so it follows when another flag is chosen. */
export function exposureWithFlag(exposure: ExposureRule, before: string, after: string): ExposureRule {
  const same = Object.keys(exposurePresets).find(
    (name) => JSON.stringify(exposureOfPreset(name, before)) === JSON.stringify(exposure),
  )
  return (same === undefined ? undefined : exposureOfPreset(same, after)) ?? exposure
}
