import { LinkTabs } from '#ui/page/LinkTabs'
import { paths } from '#studio/paths'

/** The tabs of all pages about flags. */
export function FlagTabs({
  slug,
  current,
}: {
  slug: string
  current: 'flags' | 'archived' | 'explain' | 'environments' | 'holdouts'
}) {
  return (
    <LinkTabs
      label="Flags"
      tabs={[
        { label: 'Flags', href: paths.flags(slug), current: current === 'flags' },
        { label: 'Explain', href: paths.explainFlags(slug), current: current === 'explain' },
        { label: 'Environments', href: paths.environments(slug), current: current === 'environments' },
        { label: 'Holdouts', href: paths.holdouts(slug), current: current === 'holdouts' },
        { label: 'Archived', href: paths.flags(slug, { show: 'archived' }), current: current === 'archived' },
      ]}
    />
  )
}
