import { paths } from '#studio/paths'

/** The pages about an experiment, in their order. */
export const experimentTabs: readonly { label: string; path: (slug: string, id: string) => string }[] = [
  { label: 'Results', path: (slug, id) => paths.experiment(slug, id) },
  { label: 'Exposures', path: (slug, id) => paths.experimentExposures(slug, id) },
  { label: 'Explore', path: (slug, id) => paths.experimentExplore(slug, id) },
  { label: 'Page changes', path: paths.experimentWeb },
  { label: 'Plan', path: paths.experimentPlan },
  { label: 'Settings', path: paths.experimentSettings },
  { label: 'Notes', path: paths.experimentNotes },
]
