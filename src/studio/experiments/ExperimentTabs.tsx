'use client'

import { usePathname } from 'next/navigation'
import { LinkTabs } from '#ui/page/LinkTabs'
import { paths } from '#studio/paths'

export function ExperimentTabs({ slug, id, name }: { slug: string; id: string; name: string }) {
  const pathname = usePathname()
  return (
    <LinkTabs
      label={`Views of ${name}`}
      tabs={experimentTabs.map(({ label, path }) => ({
        label,
        href: path(slug, id),
        current: pathname === path(slug, id),
      }))}
    />
  )
}

/** The pages about an experiment, in their order. */
const experimentTabs: readonly { label: string; path: (slug: string, id: string) => string }[] = [
  { label: 'Results', path: (slug, id) => paths.experiment(slug, id) },
  { label: 'Exposures', path: (slug, id) => paths.experimentExposures(slug, id) },
  { label: 'Explore', path: (slug, id) => paths.experimentExplore(slug, id) },
  { label: 'Page changes', path: paths.experimentWeb },
  { label: 'Plan', path: paths.experimentPlan },
  { label: 'Settings', path: paths.experimentSettings },
  { label: 'Notes', path: paths.experimentNotes },
]
