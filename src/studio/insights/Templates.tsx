import { Anchor } from '#ui/Anchor'
import { Icon } from '#ui/Icon'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { builtKinds } from './kinds'

/** Lists template questions in plain words. */
export function Templates({ slug, isMore }: { slug: string; isMore?: boolean }) {
  return (
    <Panel
      flush
      title={isMore ? 'New insight' : 'Choose an insight type'}
      description={isMore ? undefined : 'Each starts with a working example. Adjust it, then save it.'}
    >
      <ul className="grid gap-px overflow-hidden border-t border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {builtKinds.map(({ kind, label, icon, asks }) => (
          <li key={kind} className="bg-surface">
            <Anchor
              href={paths.newInsight(slug, { kind })}
              className="flex h-full items-start gap-3 px-4 py-3.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
            >
              <Icon of={icon} size="lg" className="mt-0.5 text-accent-ink" />
              <span className="min-w-0">
                <span className="block font-medium">{asks}</span>
                <span className="block text-muted">{label}</span>
              </span>
            </Anchor>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
