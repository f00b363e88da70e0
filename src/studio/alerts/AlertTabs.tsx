import { LinkTabs } from '#ui/page/LinkTabs'
import { paths } from '#studio/paths'

export function AlertTabs({ slug, current }: { slug: string; current: 'alerts' | 'reports' }) {
  return (
    <LinkTabs
      label="Alerts and reports"
      tabs={[
        { label: 'Alerts', href: paths.alerts(slug), current: current === 'alerts' },
        { label: 'Reports', href: paths.reports(slug), current: current === 'reports' },
      ]}
    />
  )
}
